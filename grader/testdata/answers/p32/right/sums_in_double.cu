// STYLE: what a thread adds up, it adds up in double
// FILL ME IN: strip (roughly 7 lines)
  double gamma = 0, beta = 0;
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const double d = dy[static_cast<size_t>(row) * columns + column];
    const double m = mean[row], r = rstd[row];
    gamma += d * (x[static_cast<size_t>(row) * columns + column] - m) * r;
    beta += d;
  }
  sums = make_float2(static_cast<float>(gamma), static_cast<float>(beta));
// END: strip
