// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps was left out: a row without variance divides by 0.
// SAYS: \beps|divi.* (0|zero)|0 ?/ ?0|\binf(inity)?\b
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|zero|(is|are|by|with|to|be|gives?|has|stays?|=|grid) \(?0(?![.,]?\d)|\binf(inity)?\b|NaN
// NEVER: never (been )?written|uninitiali
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
