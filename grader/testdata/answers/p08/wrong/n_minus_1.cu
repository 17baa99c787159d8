// ENTRY: kernel
// CLASS: scaling
// CAUSE: The variance is divided by N - 1 instead of N.
// SAYS: N ?- ?1|columns ?- ?1|divi(de|sor)|ratio|factor|variance
// NEVER: without (gamma|beta)|eps (is )?(missing|outside)
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  for (int c = 0; c < columns; ++c) row_mean += x_row[c];
  row_mean /= columns;
  float m2 = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float d = x_row[c] - row_mean;
    m2 += d * d;
  }
  row_rstd = 1.0f / sqrtf(m2 / (columns > 1 ? columns - 1 : 1) + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
