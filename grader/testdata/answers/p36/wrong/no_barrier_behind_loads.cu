// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier between filling the tiles and reading them.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: __syncwarp|out of bounds
// HELD: no
// FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces, i = first_i + r, j = first_j + r;
      const bool inside = first + p < pieces;
      q_tile[r][p] = inside && i < positions ? q[i * pitch + first + p] : float4{};
      k_tile[r][p] = inside && j < positions ? k[j * pitch + first + p] : float4{};
    }
// END: load_tiles
