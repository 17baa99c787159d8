// ENTRY: kernel
// CLASS: precision
// CAUSE: The second mean is taken of g times x as it is, and mean times the sum of g subtracted behind: with values of 10000 the two are nearly equal, and no digits are left.
// SAYS: cancel|precision|digits|round|offset|large|mean
// NEVER: \brace\b|gamma stands
// HELD: no
// FILL ME IN: means (roughly 9 lines)
  float2 sums{};
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p >= pieces) continue;
    sums.x += total(from_dy[i]);
    sums.y += total(from_dy[i] * x_row[p]);
  }
  sums = group_sums<kGroup>(sums, partial);
  first_mean = sums.x / columns;
  second_mean = row_rstd * (sums.y - row_mean * sums.x) / columns;
// END: means
