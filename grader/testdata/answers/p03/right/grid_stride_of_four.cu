// STYLE: a grid that does not depend on n walks over the tiles
// FILL ME IN: copy_tile (answer)
  for (long at = first; at < pieces; at += static_cast<long>(gridDim.x) * kTile) {
    float4 v[kInFlight] = {};
#pragma unroll
    for (int k = 0; k < kInFlight; ++k)
      if (at + k * kThreads < pieces) v[k] = __ldcs(x_pieces + at + k * kThreads);
#pragma unroll
    for (int k = 0; k < kInFlight; ++k)
      if (at + k * kThreads < pieces) __stcs(out_pieces + at + k * kThreads, v[k]);
  }
// END: copy_tile
// FILL ME IN: launch (answer)
  copy_kernel<<<132, kThreads>>>(x, out, n);
// END: launch
