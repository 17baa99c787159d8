// ENTRY: kernel
// CLASS: scaling
// CAUSE: 1 / columns is a division of integers: 0 for every row longer than 1, so that the mean is 0.
// SAYS: \bmean\b
// SAYS: (is|are|with|=|gives?|stores?|always|be) 0|zero|integer
// NEVER: never (been )?written|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s * (1 / columns);
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
