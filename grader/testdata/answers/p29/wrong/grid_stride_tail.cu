// ENTRY: kernel
// CLASS: tail
// CAUSE: The last one to three parameters are looked for at count / 4 in place of count / 4 * 4: they are never updated, and others are updated twice.
// SAYS: tail|last|rest|remain|left over|4 \*|\* 4|count % 4|twice|quads|multiple of (4|four)
  // FILL ME IN: step (roughly 20 lines)
  const long quads = count / 4;
  const long me = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long all = static_cast<long>(gridDim.x) * kThreads;
  float4* p4 = reinterpret_cast<float4*>(parameters);
  float4* m4 = reinterpret_cast<float4*>(m);
  float4* v4 = reinterpret_cast<float4*>(v);
  const float4* g4 = reinterpret_cast<const float4*>(gradients);
  for (long q = me; q < quads; q += all) {
    float4 p = p4[q], first = m4[q], second = v4[q];
    const float4 g = g4[q];
    update_parameter(p.x, g.x, first.x, second.x, adam);
    update_parameter(p.y, g.y, first.y, second.y, adam);
    update_parameter(p.z, g.z, first.z, second.z, adam);
    update_parameter(p.w, g.w, first.w, second.w, adam);
    p4[q] = p;
    m4[q] = first;
    v4[q] = second;
  }
  // What is no whole float4: one thread for each.
  if (me < count % 4) {
    const long i = quads + me;
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  }
  // END: step
  // FILL ME IN: launch (roughly 7 lines)
  const double c1 = 1.0 - std::pow(static_cast<double>(beta1), step);
  const double c2 = 1.0 - std::pow(static_cast<double>(beta2), step);
  AdamStep adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / c1);
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(c2));
  long blocks = (count / 4 + kThreads - 1) / kThreads;
  if (blocks < 1) blocks = 1;
  if (blocks > 132 * 32) blocks = 132 * 32;
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
