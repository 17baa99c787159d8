// ENTRY: kernel
// CLASS: tail
// CAUSE: Groups that reach over the diagonal are not stored at all.
// SAYS: diagonal|never written|nobody|not written|store
// SAYS: diagonal|never written|nobody|not written|unwritten
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: store (roughly 14 lines)
  const bool aligned = positions % 4 == 0;  // then all rows of out are
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
#pragma unroll
    for (int b = 0; b < kEach; b += 4) {
      if (i >= positions || first_j + b + 3 > i) continue;
      const float* s = &sum[a][b];
      float* to = scores + static_cast<size_t>(i) * positions + first_j + b;
      if (aligned) *reinterpret_cast<float4*>(to) = {s[0] * scale, s[1] * scale, s[2] * scale, s[3] * scale};
#pragma unroll
      for (int n = 0; n < 4; ++n)
        if (!aligned && first_j + b + n <= i) to[n] = s[n] * scale;
    }
  }
// END: store
