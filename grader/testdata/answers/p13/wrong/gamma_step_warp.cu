// ENTRY: kernel
// CLASS: index
// CAUSE: In store_row the pointers to gamma and beta advance by kWarp pieces per kept piece instead of kGroup: right for a group of one warp, but a row that a whole block has is scaled with gamma and beta of other columns from the second kept piece on.
// SAYS: kGroup
// SAYS: kWarp
// NEVER: kShare \* kGroup
// NEVER: coalesced
// HELD: no
// FILL ME IN: load_row (roughly 5 lines)
  {
    const Piece* from = x_row + thread;
#pragma unroll
    for (int i = 0; i < kShare; ++i, from += kGroup) {
      if (thread + i * kGroup < pieces)
        kept[i] = __ldg(from);
      else
        kept[i] = Piece{};
    }
  }
// END: load_row
// FILL ME IN: statistics (roughly 18 lines)
  {
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < kShare; ++i) s += total(kept[i]);
#pragma unroll 1
    for (int p = kShare * kGroup + thread; p < pieces; p += kGroup) s += total(x_row[p]);
    row_mean = group_sum<kGroup>(s, partial[0]) / columns;

    float q = 0.0f;
#pragma unroll
    for (int i = 0; i < kShare; ++i)
      if (thread + i * kGroup < pieces) q += squares(kept[i], row_mean);
#pragma unroll 1
    for (int p = kShare * kGroup + thread; p < pieces; p += kGroup) q += squares(x_row[p], row_mean);
    row_rstd = rsqrtf(group_sum<kGroup>(q, partial[1]) / columns + eps);

    if (thread == 0) {
      mean[row] = row_mean;
      rstd[row] = row_rstd;
    }
  }
// END: statistics
// FILL ME IN: store_row (roughly 9 lines)
  {
    const Piece* g = gamma + thread;
    const Piece* b = beta + thread;
    Piece* to = out_row + thread;
#pragma unroll
    for (int i = 0; i < kShare; ++i) {
      if (thread + i * kGroup < pieces) *to = normalized(kept[i], row_mean, row_rstd, *g, *b);
      g += kWarp;
      b += kWarp;
      to += kGroup;
    }
#pragma unroll 1
    for (int p = kShare * kGroup + thread; p < pieces; p += kGroup)
      out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
  }
// END: store_row
// FILL ME IN: launch (roughly 18 lines)
  if (aligned) {
    if (columns <= 4 * 32 * 1)
      launch = launch_kernel<float4, 32, 1>;
    else if (columns <= 4 * 32 * 4)
      launch = launch_kernel<float4, 32, 4>;
    else if (columns <= 4 * 32 * 6)
      launch = launch_kernel<float4, 32, 6>;
    else if (columns <= 4 * 256 * 4)
      launch = launch_kernel<float4, 256, 4>;
    else
      launch = launch_kernel<float4, 512, 8>;
  } else {
    if (columns <= 32 * 4)
      launch = launch_kernel<float, 32, 4>;
    else if (columns <= 32 * 24)
      launch = launch_kernel<float, 32, 24>;
    else if (columns <= 256 * 16)
      launch = launch_kernel<float, 256, 16>;
    else
      launch = launch_kernel<float, 512, 16>;
  }
// END: launch
