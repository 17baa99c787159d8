// ENTRY: fused
// CLASS: tail
// CAUSE: Places of the last block without a column count as 0, and (0 - mean)^2 is added to the squares.
// SAYS: varian|squares|sum|columns|mean|rstd
// SAYS: 0|zeros|padd|beyond|multiple|256|idle|without|too many|last
// NEVER: \brace\b|barrier|gelu (is )?missing
// HELD: yes
// FILL ME IN: fused (roughly 9 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c - (int)threadIdx.x < columns; c += kThreads) sum += c < columns ? x_row[c] : 0.0f;
  float mean = block_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c - (int)threadIdx.x < columns; c += kThreads) {
    float v = c < columns ? x_row[c] : 0.0f;
    squares += (v - mean) * (v - mean);
  }
  float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
// END: fused
