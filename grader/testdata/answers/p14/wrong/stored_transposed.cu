// ENTRY: kernel
// CLASS: index
// CAUSE: c is stored column by column.
// SAYS: transposed|column by column|exchanged
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: store (roughly 1 lines)
  if (row < rows && column < columns) c[static_cast<size_t>(column) * rows + row] = sum;
  // END: store
