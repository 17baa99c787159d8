// STYLE: blanks alone: k backwards, one of the eight values at a time, a plan in double with one exit for both sides
// FILL ME IN: multiply (roughly 12 lines)
#pragma unroll
    for (int k = kDeep - 1; k >= 0; --k) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const float of_w = w_tile[k][across + j * kAcross];
        sum[0][j] = fmaf(of_w, x_tile[k][4 * down], sum[0][j]);
        sum[1][j] = fmaf(of_w, x_tile[k][4 * down + 1], sum[1][j]);
        sum[2][j] = fmaf(of_w, x_tile[k][4 * down + 2], sum[2][j]);
        sum[3][j] = fmaf(of_w, x_tile[k][4 * down + 3], sum[3][j]);
      }
    }
// END: multiply
// FILL ME IN: plan (roughly 7 lines)
  const double area = double(m) * n, lost = double(m) * k + double(k) * n + area;
  const double compute = area * k * 2 / flops_per_us, moved = lost * 4 / bytes_per_us;
  const auto slower = [&](double arithmetic) { return fmax(arithmetic, moved); };
  library = float(slower(compute) + launch_us * (1.0 + steps) + steps * area * 8 / bytes_per_us);
  own = float(slower(compute / share) + launch_us);
// END: plan
// FILL ME IN: launch (roughly 5 lines)
  linear_kernel<<<dim3((columns - 1) / kTile + 1, (rows - 1) / kTile + 1), kThreads>>>(x, weight, bias, out, rows,
                                                                                      inner, columns);
  plan_kernel<<<(count - 1) / 32 + 1, 32>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share,
                                           launch_us);
// END: launch
