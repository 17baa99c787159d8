// STYLE: moments as m + (1 - beta)(g - m), a grid-stride loop over float4 with a capped grid, the tail by one thread each, corrections by expm1 and log in double
// FILL ME IN: update (roughly 3 lines)
  m = fmaf(1.0f - adam.beta1, g - m, m);
  v = fmaf(1.0f - adam.beta2, g * g - v, v);
  const float root = adam.root_correction * sqrtf(v);
  p = fmaf(-adam.step_size, m / (root + adam.eps), p);
// END: update
// FILL ME IN: step (roughly 20 lines)
  const long me = threadIdx.x + static_cast<long>(kThreads) * blockIdx.x;
  const long everyone = static_cast<long>(kThreads) * gridDim.x;
  const long whole = count >> 2;
  auto* const ps = reinterpret_cast<float4*>(parameters);
  auto* const ms = reinterpret_cast<float4*>(m);
  auto* const vs = reinterpret_cast<float4*>(v);
  const auto* const gs = reinterpret_cast<const float4*>(gradients);
  for (long q = me; q < whole; q += everyone) {
    float4 a = ps[q], b = ms[q], c = vs[q];
    const float4 d = gs[q];
    update_parameter(a.w, d.w, b.w, c.w, adam);
    update_parameter(a.z, d.z, b.z, c.z, adam);
    update_parameter(a.y, d.y, b.y, c.y, adam);
    update_parameter(a.x, d.x, b.x, c.x, adam);
    vs[q] = c;
    ms[q] = b;
    ps[q] = a;
  }
  // the first threads of the grid have one of the rest each
  const long single = (whole << 2) + me;
  if (single < count) {
    update_parameter(parameters[single], gradients[single], m[single], v[single], adam);
  }
// END: step
// FILL ME IN: launch (roughly 7 lines)
  // 1 - beta^step, without cancellation
  const auto correction = [step](float beta) { return -std::expm1(step * std::log(static_cast<double>(beta))); };
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(static_cast<double>(lr) / correction(beta1));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(correction(beta2)));
  long blocks = (count - 1) / (4L * kThreads) + 1;
  if (blocks > 4096) blocks = 4096;
  adam_kernel<<<static_cast<int>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
