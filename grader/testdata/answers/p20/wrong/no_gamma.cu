// ENTRY: unfused
// CLASS: missing-term
// CAUSE: gamma is never multiplied in.
// SAYS: \bgamma\b
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference
// NEVER: without beta|\brace\b|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: layernorm (roughly 11 lines)
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads) normalized_row[h] = fmaf(x_row[h] - mean, rstd, beta[h]);
// END: layernorm
