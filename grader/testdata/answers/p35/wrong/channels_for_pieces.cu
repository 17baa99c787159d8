// ENTRY: kernel
// CLASS: index
// CAUSE: The loop goes over the channels, but a step of a float4 pointer is four of them: four times too far.
// SAYS: qkv|q_row|k_row|channel|products|out-of-bounds
// SAYS: past|outside|beyond|times|four|apart|products|out-of-bounds
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: products (roughly 10 lines)
  for (int p = 0; p < channels; ++p) {
    float4 of_k[kEach];
#pragma unroll
    for (int b = 0; b < kEach; ++b) of_k[b] = k_row[b][p];
#pragma unroll
    for (int a = 0; a < kEach; ++a) {
      const float4 of_q = q_row[a][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += dot(of_q, of_k[b]);
    }
  }
// END: products
