// STYLE: alignment out of the index alone, the rest copied by the last threads
  // FILL ME IN: alignment (roughly 1 lines)
  aligned = (first & 3) == 0;
  // END: alignment
  // FILL ME IN: copy_pieces (roughly 14 lines)
  long i = first;
  if (aligned) {
    for (; i < n / 4; i += threads) {
      const float4 four = x_pieces[i];
      out_pieces[i] = make_float4(four.x, four.y, four.z, four.w);
    }
    const long left = n - n / 4 * 4;
    if (threads - 1 - first < left) out[n - 1 - (threads - 1 - first)] = x[n - 1 - (threads - 1 - first)];
  } else {
    do {
      if (i < n) out[i] = x[i];
      i += threads;
    } while (i < n);
  }
  // END: copy_pieces
