// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Whether float4 can be stored is asked of HS, which is always a multiple of 4, and not of T.
// SAYS: misaligned|multiple of 16|align|16 bytes
// SAYS: out|store
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: store (roughly 14 lines)
  const bool aligned = channels % 4 == 0;  // then all rows of out are
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
#pragma unroll
    for (int b = 0; b < kEach; b += 4) {
      if (i >= positions || first_j + b > i) continue;
      const float* s = &sum[a][b];
      float* to = scores + static_cast<size_t>(i) * positions + first_j + b;
      if (aligned) *reinterpret_cast<float4*>(to) = {s[0] * scale, s[1] * scale, s[2] * scale, s[3] * scale};
#pragma unroll
      for (int n = 0; n < 4; ++n)
        if (!aligned && first_j + b + n <= i) to[n] = s[n] * scale;
    }
  }
// END: store
