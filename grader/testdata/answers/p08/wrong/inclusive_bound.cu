// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loop runs to c <= columns: it reads one float past the row, in the last row past the end of x.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|<=|next row|one (too|more)|columns
// SAYS: \bx\b|\brows?\b|statistics
// NEVER: \brace\b|misaligned
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c <= columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
