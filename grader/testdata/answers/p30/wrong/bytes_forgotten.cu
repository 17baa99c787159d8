// ENTRY: kernel
// CLASS: allocation
// CAUSE: The copy of the table is given the number of chunks, not their bytes.
// SAYS: bytes
// SAYS: elements|sizeof|fills
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: step (roughly 22 lines)
  const Chunk chunk = chunks[blockIdx.x];
  const long four = chunk.count / 4;
  float4* p4 = reinterpret_cast<float4*>(parameters + chunk.first);
  const float4* g4 = reinterpret_cast<const float4*>(gradients + chunk.first);
  float4* m4 = reinterpret_cast<float4*>(m + chunk.first);
  float4* v4 = reinterpret_cast<float4*>(v + chunk.first);
  for (long i = threadIdx.x; i < four; i += kThreads) {
    float4 p = p4[i], g = g4[i], mm = m4[i], vv = v4[i];
    update_parameter(p.x, g.x, mm.x, vv.x, adam);
    update_parameter(p.y, g.y, mm.y, vv.y, adam);
    update_parameter(p.z, g.z, mm.z, vv.z, adam);
    update_parameter(p.w, g.w, mm.w, vv.w, adam);
    p4[i] = p;
    m4[i] = mm;
    v4[i] = vv;
  }
  for (long i = four * 4 + threadIdx.x; i < chunk.count; i += kThreads) {
    const long at = chunk.first + i;
    update_parameter(parameters[at], gradients[at], m[at], v[at], adam);
  }
  // END: step
  // FILL ME IN: table (roughly 3 lines)
  for (int t = 0; t < tensors; ++t)
    for (long at = 0; at < sizes[t]; at += kChunk)
      chunks.push_back({offsets[t] + at, std::min(kChunk, sizes[t] - at)});
  // END: table
  // FILL ME IN: launch (roughly 3 lines)
  cudaMemcpy(table, chunks.data(), chunks.size(), cudaMemcpyHostToDevice);
  adam_kernel<<<chunks.size(), kThreads>>>(parameters, gradients, m, v, table, adam);
  // END: launch
