// ENTRY: kernel
// CLASS: missing-term
// CAUSE: gamma is in the first mean and missing in the second: mean(dy * xhat) where mean(dy * gamma * xhat) belongs.
// SAYS: gamma|second mean|mean of
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: means (roughly 9 lines)
  float2 sums{};
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    sums.x += total(from_dy[i]);
    const int p = thread + i * kGroup;
    if (p < pieces) sums.y += total(dy_row[p] * from_x[i]);
  }
  sums = group_sums<kGroup>(sums, partial);
  first_mean = sums.x / columns;
  second_mean = sums.y / columns;
// END: means
