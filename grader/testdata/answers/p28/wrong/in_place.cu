// ENTRY: kernel
// CLASS: aliasing
// CAUSE: The corrections are written over m and v.
// SAYS: \bm\b|\bv\b
// SAYS: correct|place|hat
// NEVER: \brace\b|without eps|weight decay
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m, v, parameters, count, lr, eps);
// END: launches
