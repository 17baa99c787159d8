// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sum begins at 1 instead of 0 in each thread, with a largest value of the thread's first: one term too many.
// SAYS: sum|one_pass
// SAYS: one_pass|twice|too|plus|\b1\b|constant|begins|first|larger|more
// NEVER: \brace\b
// HELD: no
// FILL ME IN: one_pass (roughly 12 lines)
  if (threadIdx.x < columns) row = {x_row[threadIdx.x], 1.0f};
  for (int column = threadIdx.x; column < columns; column += kThreads) row = merged(row, {x_row[column], 1.0f});
// END: one_pass
