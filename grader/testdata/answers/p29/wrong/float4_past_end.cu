// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The last thread takes a whole float4 although fewer than four parameters are left.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|tail|last
// NEVER: \brace\b|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: step (roughly 20 lines)
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  if (first >= count) return;
  float4* p4 = reinterpret_cast<float4*>(parameters + first);
  float4* m4 = reinterpret_cast<float4*>(m + first);
  float4* v4 = reinterpret_cast<float4*>(v + first);
  const float4 g4 = *reinterpret_cast<const float4*>(gradients + first);
  update_parameter(p4->x, g4.x, m4->x, v4->x, adam);
  update_parameter(p4->y, g4.y, m4->y, v4->y, adam);
  update_parameter(p4->z, g4.z, m4->z, v4->z, adam);
  update_parameter(p4->w, g4.w, m4->w, v4->w, adam);
// END: step
