// ENTRY: unfused
// CLASS: index
// CAUSE: bias is indexed by the row (blockIdx.x); it belongs to the column.
// SAYS: bias
// SAYS: \brows?\b|blockIdx|index|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|bias (is )?(missing|not added)|without (the )?bias
// HELD: no
// FILL ME IN: add_bias (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) biased[row + c] = x[row + c] + bias[blockIdx.x];
// END: add_bias
