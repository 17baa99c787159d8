// ENTRY: kernel
// CLASS: approximation
// CAUSE: The largest value begins at -inf: where a thread has seen nothing but -inf, or nothing at all, -inf - -inf is NaN.
// SAYS: NaN|inf
// SAYS: inf|NaN|finite|number
// NEVER: \brace\b
// NEVER: never (been )?written
// HELD: no
// FILL ME IN: one_pass (roughly 12 lines)
  row.largest = __int_as_float(0xff800000);
  for (int column = threadIdx.x; column < columns; column += kThreads) row = merged(row, {x_row[column], 1.0f});
// END: one_pass
