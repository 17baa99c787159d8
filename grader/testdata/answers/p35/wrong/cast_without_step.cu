// ENTRY: kernel
// CLASS: index
// CAUSE: The pointers are float4 and the channel is counted in floats: four times too far.
// SAYS: qkv|q_row|k_row|channel|products|out-of-bounds
// SAYS: past|outside|beyond|times|four|apart|products|out-of-bounds
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: products (roughly 10 lines)
  for (int c = 0; c < channels; c += 4) {
    float4 of_k[kEach];
#pragma unroll
    for (int b = 0; b < kEach; ++b) of_k[b] = reinterpret_cast<const float4*>(k_row[b])[c];
#pragma unroll
    for (int a = 0; a < kEach; ++a) {
      const float4 of_q = reinterpret_cast<const float4*>(q_row[a])[c];
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += dot(of_q, of_k[b]);
    }
  }
// END: products
