// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: The row is kept in a static array of 128 floats; longer rows run past its end.
// SAYS: shared|kept
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|\b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)|\b512 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 512(?![.,]?\d)(?! of)|too small
// NEVER: \brace\b|without (gamma|beta|bias)
// HELD: no
// FILL ME IN: fused_stats (roughly 10 lines)
  __shared__ float kept[128];
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += kept[h] = x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (kept[h] - mean) * (kept[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads) normalized[h] = (kept[h] - mean) * rstd * gamma[h] + beta[h];
  __syncthreads();
// END: fused_stats
