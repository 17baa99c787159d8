// ENTRY: fused
// CLASS: tail
// CAUSE: Only whole rounds of the block are written: the last columns of a row are not.
// SAYS: columns?|\bout\b|elements
// SAYS: never written|not written|nobody|last|whole|multiple|256|left out|dropped|rounds
// NEVER: \brace\b|barrier|eps
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
  for (int c = threadIdx.x; c + kThreads <= columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
// END: fused
