// ENTRY: fused
// CLASS: missing-term
// CAUSE: The mean is of each warp alone: the shuffles do not cross warps, and nothing adds the warps up.
// SAYS: mean|sum|fused|warp
// SAYS: warp|32|part|own|lanes|not added
// NEVER: \brace\b|eps|gelu (is )?missing
// HELD: no
// FILL ME IN: fused (roughly 9 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  float mean = sum / columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - mean) * (x_row[c] - mean);
  for (int o = 16; o > 0; o /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, o);
  float rstd = rsqrtf(squares / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
// END: fused
