// ENTRY: fused
// CLASS: missing-term
// CAUSE: The bias is subtracted: the sign is wrong.
// SAYS: bias
// SAYS: sign|subtract|minus|negat|-2\b|twice|- bias
// NEVER: without (the )?bias|bias (is )?missing
// HELD: yes
// FILL ME IN: fused (roughly 10 lines)
  for (int k = 0, c = first; k < kPerThread; ++k, c += kThreads)
    if (c < columns) out[row + c] = gelu(x[row + c] - bias[c]);
// END: fused
