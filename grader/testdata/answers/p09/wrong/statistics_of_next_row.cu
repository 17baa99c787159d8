// ENTRY: kernel
// CLASS: index
// CAUSE: `normalize` takes the statistics of the row after its own (the last block: of row 0).
// SAYS: \bmean\b|\brstd\b|statistics
// SAYS: (next|other|another|following|wrong) row|row after|row \+ ?1|row \(?r ?\+ ?1|rows? (is|are)? ?shifted
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|without (gamma|beta)|\brace\b
// HELD: no
// FILL ME IN: normalize (roughly 3 lines)
  const int r = (blockIdx.x + 1) % gridDim.x;
  const float m = mean[r], s = rstd[r];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
// END: normalize
