// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop of `normalize` stops one column early: the last column of out is never written.
// SAYS: last|column
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|last
// NEVER: without eps|block has \d+ threads
// HELD: yes
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns - 1; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
// END: normalize
