// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The root of the second correction is forgotten: sqrt(v) / (1 - beta2^step).
// SAYS: correction|v_hat|root|sqrt
// SAYS: root|outside|after|taken|sqrt
// NEVER: \brace\b|never (been )?written
// HELD: no
// FILL ME IN: launch (roughly 4 lines)
  AdamStep adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(beta2), step)));
  const long threads = (count + 3) / 4;
  adam_kernel<<<static_cast<unsigned>((threads + kThreads - 1) / kThreads), kThreads>>>(parameters, gradients, m, v, count,
                                                                                 adam);
// END: launch
