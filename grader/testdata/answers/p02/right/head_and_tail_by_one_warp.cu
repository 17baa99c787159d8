// STYLE: pieces by all threads, the tail by the last threads of the grid, alignment through a mask
// FILL ME IN: alignment (answer)
  aligned = !((reinterpret_cast<size_t>(slice) & 15) || (reinterpret_cast<size_t>(out) & 15));
// END: alignment
// FILL ME IN: copy_pieces (answer)
  if (!aligned) {
    for (long i = first; i < n; i += threads) out[i] = x[i];
    return;
  }
  for (long p = first; 4 * p + 3 < n; p += threads) {
    const float4 v = x_pieces[p];
    out_pieces[p] = make_float4(v.x, v.y, v.z, v.w);
  }
  const long from_end = threads - 1 - first;
  if (from_end < n % 4) out[n - 1 - from_end] = x[n - 1 - from_end];
// END: copy_pieces
