// STYLE: The kept pieces are replaced by their distance from the mean in place, squares and the answer are taken around 0; walks by lambdas
// FILL ME IN: load_row (roughly 5 lines)
  const auto at = [&](int i) { return i * kGroup + thread; };
  const auto inside = [&](int i) { return at(i) < pieces; };
#pragma unroll
  for (int i = kShare - 1; i >= 0; --i) {
    kept[i] = Piece{};
    if (inside(i)) kept[i] = __ldcs(x_row + at(i));
  }
// END: load_row
// FILL ME IN: statistics (roughly 18 lines)
  const auto centred = [&](Piece v) {
    if constexpr (sizeof(Piece) == sizeof(float))
      return v - row_mean;
    else
      return Piece{v.x - row_mean, v.y - row_mean, v.z - row_mean, v.w - row_mean};
  };
  float local = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) local += total(kept[i]);
#pragma unroll 1
  for (int p = at(kShare); p < pieces; p += kGroup) local += total(x_row[p]);
  const float count = static_cast<float>(columns);
  row_mean = group_sum<kGroup>(local, &partial[1][0]) / count;
  local = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    kept[i] = centred(kept[i]);
    local += inside(i) ? squares(kept[i], 0.0f) : 0.0f;
  }
#pragma unroll 1
  for (int p = at(kShare); p < pieces; p += kGroup) local += squares(x_row[p], row_mean);
  row_rstd = 1.0f / sqrtf(group_sum<kGroup>(local, &partial[0][0]) / count + eps);
  if (thread == kGroup - 1) {
    rstd[row] = row_rstd;
    mean[row] = row_mean;
  }
// END: statistics
// FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    if (!inside(i)) continue;
    const Piece g = gamma[at(i)], b = beta[at(i)];
    __stcs(out_row + at(i), normalized(kept[i], 0.0f, row_rstd, g, b));
  }
#pragma unroll 1
  for (int p = at(kShare); p < pieces; p += kGroup)
    __stcs(out_row + p, normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]));
// END: store_row
// FILL ME IN: launch (roughly 18 lines)
  const int pieces = aligned ? columns / 4 : columns;
  const auto pick = [aligned](auto wide, auto narrow) { return aligned ? wide : narrow; };
  if (pieces <= 32)
    launch = pick(&launch_kernel<float4, 32, 1>, &launch_kernel<float, 32, 1>);
  else if (pieces <= 32 * 2)
    launch = pick(&launch_kernel<float4, 32, 2>, &launch_kernel<float, 32, 2>);
  else if (pieces <= 32 * 4)
    launch = pick(&launch_kernel<float4, 32, 4>, &launch_kernel<float, 32, 4>);
  else if (pieces <= 32 * 6)
    launch = pick(&launch_kernel<float4, 32, 6>, &launch_kernel<float, 32, 6>);
  else if (pieces <= 128 * 6)
    launch = pick(&launch_kernel<float4, 128, 6>, &launch_kernel<float, 128, 6>);
  else if (pieces <= 256 * 6)
    launch = pick(&launch_kernel<float4, 256, 6>, &launch_kernel<float, 256, 6>);
  else
    launch = pick(&launch_kernel<float4, 1024, 8>, &launch_kernel<float, 1024, 8>);
// END: launch
