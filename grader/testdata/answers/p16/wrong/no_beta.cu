// ENTRY: fused
// CLASS: missing-term
// CAUSE: beta is left out.
// SAYS: beta
// SAYS: without|missing|left out|not added|no beta
// NEVER: \brace\b|barrier|without gamma
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
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c]);
// END: fused
