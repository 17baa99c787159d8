// ENTRY: kernel
// CLASS: tail
// CAUSE: The statistics are of the pieces that registers keep, those of a longer row are left out.
// SAYS: counts only|left out|leaves out|only the first|beyond
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    kept[i] = p < pieces ? x_row[p] : Piece{};
  }
  // END: load_row
  // FILL ME IN: statistics (roughly 18 lines)
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;
  float around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) around += squares(kept[i], row_mean);
  row_rstd = 1.0f / sqrtf(group_sum<kGroup>(around, partial[1]) / columns + eps);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
  // FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]);
  }
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
  // END: store_row
  // FILL ME IN: launch (roughly 18 lines)
  const int pieces = aligned ? columns / 4 : columns;
  if (aligned) {
    if (pieces <= 32) launch = launch_kernel<float4, 32, 1>;
    else if (pieces <= 64) launch = launch_kernel<float4, 32, 2>;
    else if (pieces <= 128) launch = launch_kernel<float4, 32, 4>;
    else if (pieces <= 192) launch = launch_kernel<float4, 32, 6>;
    else if (pieces <= 256) launch = launch_kernel<float4, 32, 8>;
    else if (pieces <= 1024) launch = launch_kernel<float4, 256, 4>;
    else launch = launch_kernel<float4, 256, 4>;
  } else {
    if (pieces <= 32) launch = launch_kernel<float, 32, 1>;
    else if (pieces <= 128) launch = launch_kernel<float, 32, 4>;
    else if (pieces <= 256) launch = launch_kernel<float, 32, 8>;
    else if (pieces <= 1024) launch = launch_kernel<float, 256, 4>;
    else launch = launch_kernel<float, 256, 4>;
  }
  // END: launch
