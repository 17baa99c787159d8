// ENTRY: unfused
// CLASS: missing-term
// CAUSE: `add_bias` already applies GELU, and `apply_gelu` applies it once more.
// SAYS: twice|\bagain\b|two times|already|second time|add_bias|gelu\(gelu
// NEVER: without (the )?bias|exactly this:.*\berf|(is|uses|computes) the erf
// HELD: no
// FILL ME IN: add_bias (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) biased[row + c] = gelu(x[row + c] + bias[c]);
// END: add_bias
