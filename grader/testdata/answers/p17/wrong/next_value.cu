// ENTRY: kernel
// CLASS: index
// CAUSE: What is written is made of the next column's value: x_row[column + 1].
// SAYS: column|x\b|next|neighbour|value
// SAYS: next|\+ ?1|shift|neighbour|one column|further|column \+
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = expf(x_row[column + 1 < columns ? column + 1 : column] - row.largest) / row.sum;
// END: write_row
