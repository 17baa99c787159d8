// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Only the mean is subtracted; the term with xhat is forgotten.
// SAYS: xhat|term|mean of|stretch
// NEVER: \brace\b
// HELD: no
// FILL ME IN: store_row (roughly 5 lines)
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) dx_row[thread + i * kGroup] = (from_dy[i] - first_mean) * row_rstd;
// END: store_row
