// ENTRY: kernel
// CLASS: tail
// CAUSE: There is no tail: the last one to three parameters, which fill no float4, are never updated.
// SAYS: tail|last|count|float4|multiple of 4|behind
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|not updated|never updated|tail|last
// NEVER: \brace\b|misaligned|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: step (roughly 20 lines)
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  if (first + 4 > count) return;
  float4 p4 = *reinterpret_cast<const float4*>(parameters + first);
  float4 m4 = *reinterpret_cast<const float4*>(m + first);
  float4 v4 = *reinterpret_cast<const float4*>(v + first);
  const float4 g4 = *reinterpret_cast<const float4*>(gradients + first);
  update_parameter(p4.x, g4.x, m4.x, v4.x, adam);
  update_parameter(p4.y, g4.y, m4.y, v4.y, adam);
  update_parameter(p4.z, g4.z, m4.z, v4.z, adam);
  update_parameter(p4.w, g4.w, m4.w, v4.w, adam);
  *reinterpret_cast<float4*>(parameters + first) = p4;
  *reinterpret_cast<float4*>(m + first) = m4;
  *reinterpret_cast<float4*>(v + first) = v4;
// END: step
