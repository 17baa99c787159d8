// ENTRY: kernel
// CLASS: index
// CAUSE: The row is walked from its end but gamma and beta from their start.
// SAYS: gamma|beta|\bx\b
// SAYS: other end|backwards|revers|last|end
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: normalize (roughly 4 lines)
  for (int i = 0; i < columns; ++i) {
    const int c = columns - 1 - i;
    out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[i] + beta[i];
  }
// END: normalize
