// ENTRY: partials
// CLASS: index
// CAUSE: The strips do not get places of their own: the strip's number is not multiplied by 2, so that dgamma of a strip lies over dbeta of the one before.
// SAYS: partial|store|workspace|strip|place
// NEVER: gamma and beta exchanged|\brstd\b
// HELD: yes
// FILL ME IN: store (roughly 4 lines)
  if (threadIdx.y == 0 && column < columns) {
    partial[blockIdx.y * columns + column] = sums.x;
    partial[(blockIdx.y + 1) * columns + column] = sums.y;
  }
// END: store
