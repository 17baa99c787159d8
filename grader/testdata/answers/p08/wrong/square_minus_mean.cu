// ENTRY: kernel
// CLASS: precision
// CAUSE: The variance is taken as E[x^2] - mean^2, which cancels where |mean| is large beside the deviation.
// SAYS: cancel|E\[x|mean\^2|mean²|large mean|one pass|single pass
// NEVER: eps (is )?(missing|outside)|(exactly this|divided by).*N ?- ?1|never (been )?written
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float v = x_row[c];
    s += v;
    q = fmaf(v, v, q);
  }
  row_mean = s / columns;
  row_rstd = rsqrtf(fmaxf(q / columns - row_mean * row_mean, 0.0f) + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
