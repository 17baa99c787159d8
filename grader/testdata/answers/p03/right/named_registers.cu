// STYLE: whole tiles without any comparison, four named values; the last tile piece by piece
// FILL ME IN: copy_tile (answer)
  if (first - threadIdx.x + kTile <= pieces) {
    const float4 a = x_pieces[first], b = x_pieces[first + kThreads];
    const float4 c = x_pieces[first + 2 * kThreads], d = x_pieces[first + 3 * kThreads];
    out_pieces[first] = a;
    out_pieces[first + kThreads] = b;
    out_pieces[first + 2 * kThreads] = c;
    out_pieces[first + 3 * kThreads] = d;
  } else {
    for (long p = first; p < pieces; p += kThreads) out_pieces[p] = x_pieces[p];
  }
// END: copy_tile
