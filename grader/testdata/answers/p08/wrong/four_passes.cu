// ENTRY: kernel
// CLASS: over-budget
// CAUSE: x is read four times: the sum of the row is taken a second time for nothing.
// SAYS: \bx\b
// SAYS: (4|four|33|more|again|extra).*(times|pass|reads?)|(times|pass|reads?).*(4|four|33|more|again|extra)|passes
// NEVER: extra launch|wrong (answer|result|value)
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, t = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) t += x_row[c] - row_mean;
  row_mean += t / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
