// STYLE: loads past the end take the last piece instead of being left out
// FILL ME IN: copy_tile (answer)
  if (first < pieces) {
    float4 v[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
      const long p = first + k * kThreads;
      v[k] = x_pieces[p < pieces ? p : pieces - 1];
    }
#pragma unroll
    for (int k = 0; k < kInFlight; ++k)
      if (const long p = first + k * kThreads; p < pieces) out_pieces[p] = v[k];
  }
// END: copy_tile
