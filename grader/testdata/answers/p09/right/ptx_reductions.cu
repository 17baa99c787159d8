// STYLE: inline PTX for the shuffles and the loads, the variance around the row's first value
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float v;
    asm volatile("ld.global.nc.L1::evict_last.f32 %0, [%1];" : "=f"(v) : "l"(x_row + c));
    sum += v;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
// FILL ME IN: row_rstd (roughly 5 lines)
  const float base = x_row[0];
  float s = 0.0f, q = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float d = x_row[c] - base;
    s += d;
    asm("fma.rn.f32 %0, %1, %1, %0;" : "+f"(q) : "f"(d));
  }
  s = block_sum(s);
  q = block_sum(q);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf((q - s * (s / columns)) / columns + eps);
// END: row_rstd
