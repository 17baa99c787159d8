// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Neighbouring lanes fetch neighbouring rows: a sector each, half of it used.
// SAYS: coalesced|sectors|lanes
// SAYS: apart|sectors|times
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n % kTile, p = n / kTile, i = first_i + r, j = first_j + r;
      const bool inside = first + p < pieces;
      q_tile[r][p] = inside && i < positions ? q[i * pitch + first + p] : float4{};
      k_tile[r][p] = inside && j < positions ? k[j * pitch + first + p] : float4{};
    }
    __syncthreads();
// END: load_tiles
