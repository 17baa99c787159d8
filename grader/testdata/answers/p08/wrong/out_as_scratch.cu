// ENTRY: kernel
// CLASS: over-budget
// CAUSE: x - mean is parked in out and read back from there: two more passes over out.
// SAYS: \bout\b
// SAYS: read|scratch|back|passes|\bagain\b|twice|written
// NEVER: extra launch|wrong (answer|result|value)
// HELD: no
// FILL ME IN: normalize (roughly 2 lines)
  volatile float* parked = out_row;
  for (int c = 0; c < columns; ++c) parked[c] = x_row[c] - row_mean;
  for (int c = 0; c < columns; ++c) out_row[c] = parked[c] * row_rstd * gamma[c] + beta[c];
// END: normalize
