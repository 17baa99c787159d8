// STYLE: where the slice is not aligned, single loads and stores of whole pieces
// FILL ME IN: alignment (answer)
  aligned = first % 4 == 0;  // x and out come from cudaMalloc
// END: alignment
// FILL ME IN: copy_pieces (answer)
  for (long p = first; p < n / 4; p += threads) {
    float4 v;
    if (aligned)
      v = __ldg(x_pieces + p);
    else
      v = {x[4 * p], x[4 * p + 1], x[4 * p + 2], x[4 * p + 3]};
    out_pieces[p] = v;
  }
  if (first < n % 4) out[n / 4 * 4 + first] = x[n / 4 * 4 + first];
// END: copy_pieces
