// ENTRY: kernel
// CLASS: precision
// CAUSE: 1 - beta2^step is worked out in float: for beta2 = 0.999 at step 1 it cancels and keeps four digits.
// SAYS: float|precision|cancel|round|double|digits
// NEVER: \brace\b|never (been )?written|bf16|fp16
// HELD: yes
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  const float power1 = std::exp(step * std::log(beta1)), power2 = std::exp(step * std::log(beta2));
  adam.step_size = lr / (1.0f - power1);
  adam.root_correction = 1.0f / std::sqrt(1.0f - power2);
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
