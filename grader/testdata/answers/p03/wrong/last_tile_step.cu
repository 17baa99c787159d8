// ENTRY: kernel
// CLASS: tail
// CAUSE: In the last, incomplete tile the loop steps by kTile where it should step by kThreads, so each thread copies only its first piece there and all pieces from the 257th of the tile on are left out.
// SAYS: last.*tile|tile.*last|not whole|incomplete|kThreads.*in place of.*kTile|first (piece|of its)|\b(stride|step)s?\b|behind|never (written|copied|stored)
  // FILL ME IN: copy_tile (roughly 11 lines)
  const bool whole = (static_cast<long>(blockIdx.x) + 1) * kTile <= pieces;
  if (whole) {
    // nothing to check: four loads, then four stores
    const float4 a = x_pieces[first];
    const float4 b = x_pieces[first + kThreads];
    const float4 c = x_pieces[first + 2 * kThreads];
    const float4 d = x_pieces[first + 3 * kThreads];
    out_pieces[first] = a;
    out_pieces[first + kThreads] = b;
    out_pieces[first + 2 * kThreads] = c;
    out_pieces[first + 3 * kThreads] = d;
  } else {
    // the last tile, slowly
    for (long p = first; p < pieces; p += kTile) out_pieces[p] = x_pieces[p];
  }
  // END: copy_tile
  // FILL ME IN: launch (roughly 3 lines)
  const long per_block = static_cast<long>(kTile) * kFloats;
  const long blocks = (n + per_block - 1) / per_block;
  copy_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(x, out, n);
  // END: launch
