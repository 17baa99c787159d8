// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each piece is stored before the next one is loaded.
// SAYS: waits?|under way|in flight
// SAYS: load|store|time|bytes
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p >= pieces) break;
    const float4 v = x_pieces[p];
    out_pieces[p] = v;
  }
// END: copy_tile
