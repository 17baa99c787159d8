// ENTRY: kernel
// CLASS: index
// CAUSE: Piece i is stored at first + i and not at first + i * kThreads.
// SAYS: several threads one element|first \+ \(i \* kThreads\)
// SAYS: index|in place of .*first \+ i
// NEVER: barrier is missing
// HELD: no
  // FILL ME IN: copy_tile (roughly 11 lines)
  float4 piece[kInFlight];
  for (int i = 0; i < kInFlight; ++i)
    if (first + i * kThreads < pieces) piece[i] = x_pieces[first + i * kThreads];
  for (int i = 0; i < kInFlight; ++i)
    if (first + i * kThreads < pieces) out_pieces[first + i] = piece[i];
  // END: copy_tile
  // FILL ME IN: launch (roughly 3 lines)
  const long pieces = n / kFloats;
  const long blocks = pieces > 0 ? (pieces + kTile - 1) / kTile : 1;
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
  // END: launch
