// ENTRY: fused
// CLASS: approximation
// CAUSE: GELU in its erf form; the puzzle asks for the tanh form.
// SAYS: erf|gelu|form
// SAYS: erf|tanh|form|exact
// NEVER: \brace\b|barrier|beta (is )?missing|without beta
// HELD: no
// FILL ME IN: fused (roughly 9 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  float mean = block_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float d = x_row[c] - mean;
    squares += d * d;
  }
  float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float v = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
    out_row[c] = 0.5f * v * (1.0f + erff(v / 1.41421356f));
  }
// END: fused
