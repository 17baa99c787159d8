// ENTRY: kernel
// CLASS: tail
// CAUSE: Channels behind the last one are fetched as if there were any: they are the next head's.
// SAYS: channel|head|load_tiles|last|tile|\bq\b|\bk\b|qkv
// SAYS: channel|next head|behind|last|load_tiles|past|beyond|outside
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces, i = first_i + r, j = first_j + r;
      const bool inside = first < pieces;
      q_tile[r][p] = inside && i < positions ? q[i * pitch + first + p] : float4{};
      k_tile[r][p] = inside && j < positions ? k[j * pitch + first + p] : float4{};
    }
    __syncthreads();
// END: load_tiles
