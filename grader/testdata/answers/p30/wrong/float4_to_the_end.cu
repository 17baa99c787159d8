// ENTRY: kernel
// CLASS: tail
// CAUSE: A thread takes four parameters also where fewer are left: what stands behind the tensor is changed.
// SAYS: behind|past|end|tail|gap|between|four|step|float4|element
// NEVER: \brace\b|bias correction|epsilon
// HELD: yes
// FILL ME IN: step (roughly 16 lines)
  const Chunk chunk = chunks[blockIdx.x];
  for (long i = 4 * threadIdx.x; i < chunk.count; i += 4 * kThreads) {
    const long at = chunk.first + i;
    float4 p4 = *reinterpret_cast<float4*>(parameters + at), m4 = *reinterpret_cast<float4*>(m + at),
           v4 = *reinterpret_cast<float4*>(v + at);
    const float4 g4 = *reinterpret_cast<const float4*>(gradients + at);
    update_parameter(p4.x, g4.x, m4.x, v4.x, adam);
    update_parameter(p4.y, g4.y, m4.y, v4.y, adam);
    update_parameter(p4.z, g4.z, m4.z, v4.z, adam);
    update_parameter(p4.w, g4.w, m4.w, v4.w, adam);
    *reinterpret_cast<float4*>(parameters + at) = p4;
    *reinterpret_cast<float4*>(m + at) = m4;
    *reinterpret_cast<float4*>(v + at) = v4;
  }
// END: step
