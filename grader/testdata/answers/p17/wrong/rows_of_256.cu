// ENTRY: kernel
// CLASS: tail
// CAUSE: The first pass stops after 256 columns, the write does not.
// SAYS: 256|first|sum|columns|one_pass
// SAYS: 256|only|first|trip|part|one_pass
// NEVER: \brace\b
// HELD: no
// FILL ME IN: one_pass (roughly 12 lines)
  const int column = threadIdx.x;
  if (column < columns) row = merged(row, {x_row[column], 1.0f});
// END: one_pass
