// ENTRY: kernel
// CLASS: pointer
// CAUSE: The launch passes v where m belongs and m where v belongs.
// SAYS: \bm\b
// SAYS: \bv\b
// NEVER: \brace\b|never (been )?written|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, v, m, count, adam);
// END: launch
