// ENTRY: fused
// CLASS: over-budget
// CAUSE: The normalised row is written to out and read again for GELU.
// SAYS: \bout\b
// SAYS: read|written|times|twice|passes|buffer
// NEVER: \brace\b|not coalesced
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
    out_row[c] = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = gelu(out_row[c]);
// END: fused
