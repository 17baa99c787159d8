// ENTRY: kernel
// CLASS: tail
// CAUSE: Pieces past the head's channels are not zero: the next head's are added.
// SAYS: past|end|outside|behind|beyond|bound
// NEVER: \brace\b|barrier
// HELD: yes
    // FILL ME IN: load_tiles (roughly 7 lines)
    for (int at = thread; at < kTile * kPieces; at += kThreads) {
      const int r = at / kPieces, p = at % kPieces;
      const bool there = true;
      q_tile[r][p] = there && first_i + r < positions ? q[(first_i + r) * pitch + first + p] : float4{};
      k_tile[r][p] = there && first_j + r < positions ? k[(first_j + r) * pitch + first + p] : float4{};
    }
    __syncthreads();
    // END: load_tiles
