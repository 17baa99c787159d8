// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Takes any even `first` for aligned, but 16 bytes need a multiple of four floats.
// SAYS: 16
// SAYS: misaligned|align|multiple
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: copy_pieces (roughly 3 lines)
  long done = 0;
  if (aligned) {
    for (long p = first; p < n / 4; p += threads) out_pieces[p] = x_pieces[p];
    done = n / 4 * 4;
  }
  for (long i = done + first; i < n; i += threads) out[i] = x[i];
  // END: copy_pieces
  // FILL ME IN: alignment (roughly 2 lines)
  aligned = first % 2 == 0;
  // END: alignment
