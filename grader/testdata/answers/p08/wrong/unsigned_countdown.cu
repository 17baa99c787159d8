// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: An unsigned counter that counts down is never below 0: after column 0 it wraps round and leaves x.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|unsigned|wrap|4294967295|not .*(allocation|memory)|no buffer|any buffer|16 GiB|loop
// NEVER: \brace\b|misaligned|host (address|pointer)
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (unsigned c = columns - 1; c >= 0; --c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
