// ENTRY: fused
// CLASS: scaling
// CAUSE: gamma and beta are applied behind GELU: gelu(x^) * gamma + beta.
// SAYS: gamma|beta
// SAYS: gelu|behind|after|outside|before|fused
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
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float v = (x_row[c] - mean) * rstd;
    out_row[c] = gelu(v) * gamma[c] + beta[c];
  }
// END: fused
