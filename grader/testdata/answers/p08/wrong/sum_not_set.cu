// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: The sums are declared without a value: they start with whatever the register held.
// SAYS: sum|squares|register|variable
// SAYS: initiali|never (been )?(written|set)|without a value|unset|undefined|not set
// NEVER: cudaMemset|\brace\b|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  float sum, squares;
  for (int c = 0; c < columns; ++c) sum += x_row[c];
  row_mean = sum / columns;
  for (int c = 0; c < columns; ++c) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
