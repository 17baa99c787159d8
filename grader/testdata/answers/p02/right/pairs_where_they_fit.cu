// STYLE: pieces of 16 bytes, else of 8, else of 4
// FILL ME IN: copy_pieces (answer)
  long done = 0;
  const bool pairs = reinterpret_cast<size_t>(x) % 8 == 0;
  if (aligned) {
    done = n / 4 * 4;
    for (long p = first; p < n / 4; p += threads) out_pieces[p] = x_pieces[p];
  } else if (pairs) {
    done = n / 2 * 2;
    for (long p = first; p < n / 2; p += threads)
      reinterpret_cast<float2*>(out)[p] = reinterpret_cast<const float2*>(x)[p];
  }
  for (long i = done + first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
