// ENTRY: kernel
// CLASS: pointer
// CAUSE: A float4 is stored wherever four columns are left, whether the row is aligned or not.
// SAYS: misaligned
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: store (roughly 12 lines)
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
    if (i >= positions) break;
    float* to = scores + static_cast<size_t>(i) * positions + first_j;
    for (int b = 0; b < kEach; b += 4) {
      if (first_j + b + 3 < positions)
        *reinterpret_cast<float4*>(to + b) = make_float4(sum[a][b] * scale, sum[a][b + 1] * scale, sum[a][b + 2] * scale, sum[a][b + 3] * scale);
      else
        for (int n = b; n < b + 4; ++n)
          if (first_j + n < positions) to[n] = sum[a][n] * scale;
    }
  }
  // END: store
