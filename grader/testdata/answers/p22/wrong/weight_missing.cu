// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The weight is never multiplied in.
// SAYS: weight
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b
// HELD: yes
// FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) out_row[column] = inverse_rms * x_row[column];
// END: scale_row
