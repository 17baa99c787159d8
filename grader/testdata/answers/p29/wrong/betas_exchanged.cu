// ENTRY: kernel
// CLASS: index
// CAUSE: beta1 and beta2 have changed places in the struct: m decays with beta2 and v with beta1.
// SAYS: beta1|beta2|betas
// SAYS: exchang|swap|place|beta2|instead|wrong|other
// NEVER: without (the )?bias correction|\brace\b|never (been )?written
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam;
  adam.beta1 = beta2;
  adam.beta2 = beta1;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
