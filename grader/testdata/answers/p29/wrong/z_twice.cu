// ENTRY: kernel
// CLASS: index
// CAUSE: The fourth parameter of each float4 is updated with the gradient of the third (g4.z copied, not changed to g4.w).
// SAYS: gradients?|\bg\b
// SAYS: third|fourth|number 2|number 3|z|w
// NEVER: \brace\b|tail
// HELD: no
  // FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
  // END: update
  // FILL ME IN: step (roughly 20 lines)
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  if (first + 3 < count) {
    const long at = first / 4;
    float4 p4 = reinterpret_cast<float4*>(parameters)[at], m4 = reinterpret_cast<float4*>(m)[at], v4 = reinterpret_cast<float4*>(v)[at];
    const float4 g4 = reinterpret_cast<const float4*>(gradients)[at];
    update_parameter(p4.x, g4.x, m4.x, v4.x, adam);
    update_parameter(p4.y, g4.y, m4.y, v4.y, adam);
    update_parameter(p4.z, g4.z, m4.z, v4.z, adam);
    update_parameter(p4.w, g4.z, m4.w, v4.w, adam);
    reinterpret_cast<float4*>(parameters)[at] = p4;
    reinterpret_cast<float4*>(m)[at] = m4;
    reinterpret_cast<float4*>(v)[at] = v4;
  } else {
    for (long i = first; i < count; ++i) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  }
  // END: step
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  adam_kernel<<<blocks, kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
