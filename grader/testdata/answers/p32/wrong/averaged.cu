// ENTRY: partials
// CLASS: scaling
// CAUSE: The sums are divided by the number of rows.
// SAYS: divi|mean|average|rows|factor|times
// NEVER: \brace\b|exchanged
// HELD: yes
// FILL ME IN: store (roughly 5 lines)
  if (threadIdx.y == 0 && column < columns) {
    partial[(2 * blockIdx.y) * columns + column] = sums.x / rows;
    partial[(2 * blockIdx.y + 1) * columns + column] = sums.y / rows;
  }
// END: store
