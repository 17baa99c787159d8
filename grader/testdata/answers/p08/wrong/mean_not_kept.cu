// ENTRY: kernel
// CLASS: missing-term
// CAUSE: mean is never stored: the answer's `mean` still holds what stood there before the call.
// SAYS: \bmean\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored
// NEVER: rstd is never|out is never|no loop
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  rstd[row] = row_rstd;
// END: statistics
