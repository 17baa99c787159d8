// ENTRY: kernel
// CLASS: scaling
// CAUSE: The square root is missing: rstd is 1 / (variance + eps).
// SAYS: root|sqrt|square|rstd
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|square|1 ?/ ?\(?var
// NEVER: exactly this:.*eps outside|never (been )?written|(exactly this|divided by).*N ?- ?1
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float total = 0.0f;
  for (int c = 0; c < columns; ++c) total += x_row[c];
  row_mean = total / columns;
  float variance = 0.0f;
  for (int c = 0; c < columns; ++c) variance += (x_row[c] - row_mean) * (x_row[c] - row_mean) / columns;
  row_rstd = 1.0f / (variance + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
