// STYLE: one loop over pieces rounded up, in which the last one may be short
// FILL ME IN: copy_pieces (answer)
  if (aligned) {
    for (long p = first; p < (n + 3) / 4; p += threads) {
      if (p * 4 + 4 <= n) {
        out_pieces[p] = x_pieces[p];
      } else {
        for (long i = 4 * p; i < n; ++i) out[i] = x[i];
      }
    }
  } else {
    for (long i = first; i < n; i += threads) out[i] = x[i];
  }
// END: copy_pieces
