// ENTRY: kernel
// CLASS: index
// CAUSE: first is forgotten: every tile holds the first 32 channels.
// SAYS: channel|load_tiles|tile|first|qkv
// SAYS: first|32|again|load_tiles|channel|never read|only|ever read
// NEVER: \brace\b|barrier
// HELD: yes
// FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces, i = first_i + r, j = first_j + r;
      const bool inside = first + p < pieces;
      q_tile[r][p] = inside && i < positions ? q[i * pitch + p] : float4{};
      k_tile[r][p] = inside && j < positions ? k[j * pitch + p] : float4{};
    }
    __syncthreads();
// END: load_tiles
