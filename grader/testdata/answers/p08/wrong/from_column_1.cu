// ENTRY: kernel
// CLASS: index
// CAUSE: The sum of the mean starts at column 1: the first element of each row is left out.
// SAYS: column 0|element 0|first (column|element)|row_mean|statistics|\bmean\b.*(differ|minus|lacks|without|left out)
// NEVER: without (gamma|beta)|eps (is )?(missing|outside|inside|left out)|without eps|(exactly this|divided by).*N ?- ?1
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 1; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
