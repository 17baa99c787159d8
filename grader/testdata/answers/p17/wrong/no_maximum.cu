// ENTRY: kernel
// CLASS: approximation
// CAUSE: Nothing is subtracted in the exponents: for values around 1000 exp is infinite, and around -1000 the sum is 0.
// SAYS: NaN|inf|largest|subtract|max|exp
// SAYS: large|1000|low|NaN|inf|subtract|max|zero
// NEVER: \brace\b
// HELD: no
// FILL ME IN: one_pass (roughly 12 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) row.sum += expf(x_row[column]);
  row.largest = 0.0f;
// END: one_pass
// FILL ME IN: merge (roughly 2 lines)
  both.sum = a.sum + b.sum;
// END: merge
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = expf(x_row[column]) / row.sum;
// END: write_row
