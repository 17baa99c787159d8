// ENTRY: fused
// CLASS: barrier
// CAUSE: block_sum, which has shuffles and barriers, is called by thread 0 alone.
// SAYS: thread 0|lanes|threads
// SAYS: reach|branch|all
// NEVER: \brace\b|gamma|GELU of
// HELD: no
  // FILL ME IN: fused (roughly 8 lines)
  float s = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) s += x_row[c];
  float mean = 0.0f;
  if (threadIdx.x == 0) mean = block_sum(s) / columns;
  float q = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) q += (x_row[c] - mean) * (x_row[c] - mean);
  const float rstd = rsqrtf(block_sum(q) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
  // END: fused
