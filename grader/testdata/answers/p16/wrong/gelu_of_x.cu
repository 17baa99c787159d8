// ENTRY: fused
// CLASS: missing-term
// CAUSE: The order is wrong: LayerNorm of gelu(x), where gelu of LayerNorm is asked for.
// SAYS: gelu|fused
// SAYS: order|before|first|of x|x\b|fused|instead|LayerNorm
// NEVER: \brace\b|barrier|eps
// HELD: yes
// FILL ME IN: fused (roughly 9 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += gelu(x_row[c]);
  float mean = block_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float d = gelu(x_row[c]) - mean;
    squares += d * d;
  }
  float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = (gelu(x_row[c]) - mean) * rstd * gamma[c] + beta[c];
// END: fused
