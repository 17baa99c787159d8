// ENTRY: kernel
// CLASS: index
// CAUSE: The tile of k is filled with rows from first_i on.
// SAYS: keys?|column|row
// NEVER: \brace\b|barrier
// HELD: yes
    // FILL ME IN: load_tiles (roughly 7 lines)
    for (int at = thread; at < kTile * kPieces; at += kThreads) {
      const int r = at / kPieces, p = at % kPieces;
      const bool there = first + p < pieces;
      q_tile[r][p] = there && first_i + r < positions ? q[(first_i + r) * pitch + first + p] : float4{};
      k_tile[r][p] = there && first_i + r < positions ? k[(first_i + r) * pitch + first + p] : float4{};
    }
    __syncthreads();
    // END: load_tiles
