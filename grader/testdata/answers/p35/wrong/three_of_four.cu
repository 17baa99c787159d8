// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The product of four channels has three terms.
// SAYS: products|channel|term|fourth|dot|sum|position|last
// SAYS: fourth|three|last|left out|missing|without|products|only
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 10 lines)
  for (int p = 0; p < pieces; ++p) {
    float4 of_k[kEach];
#pragma unroll
    for (int b = 0; b < kEach; ++b) of_k[b] = k_row[b][p];
#pragma unroll
    for (int a = 0; a < kEach; ++a) {
      const float4 of_q = q_row[a][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += of_q.x * of_k[b].x + of_q.y * of_k[b].y + of_q.z * of_k[b].z;
    }
  }
// END: products
