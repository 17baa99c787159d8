// STYLE: one pass around the row's first value, which cancels with the mean
// FILL ME IN: fused (roughly 9 lines)
  const float pivot = x_row[0];
  float sum = 0.0f, squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float d = __ldg(x_row + c) - pivot;
    sum += d;
    squares += d * d;
  }
  const float shift = block_sum(sum) / columns;
  const float rstd = rsqrtf(fmaxf(block_sum(squares) / columns - shift * shift, 0.0f) + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - pivot - shift) * rstd * gamma[c] + beta[c]);
// END: fused
