// ENTRY: unfused
// CLASS: index
// CAUSE: bias[0] is added to every column: the pointer was dereferenced without an index.
// SAYS: bias
// SAYS: column 0|\[0\]|first|one value|every column|element 0|\b0\b
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|\brace\b|bias (is )?(missing|not added)
// HELD: no
// FILL ME IN: add_bias (roughly 4 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) biased[row + c] = x[row + c] + *bias;
// END: add_bias
