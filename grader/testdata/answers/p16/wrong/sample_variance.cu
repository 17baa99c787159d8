// ENTRY: fused
// CLASS: scaling
// CAUSE: The squares are divided by N - 1 and not by N.
// SAYS: N ?- ?1|columns ?- ?1|off by one|one less
// SAYS: varian|divid|columns|N\b|sample|squares
// NEVER: \brace\b|barrier|gelu (is )?missing
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
  float rstd = rsqrtf(block_sum(squares) / (columns - 1) + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
// END: fused
