// ENTRY: kernel
// CLASS: index
// CAUSE: first_c is forgotten: every tile holds the first 32 channels.
// SAYS: channel|load_tiles|tile|first|qkv
// SAYS: first|32|again|load_tiles|channel|never read|only|ever read
// NEVER: \brace\b|barrier
// HELD: yes
// FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = thread; n < kTile * kDeep / 4; n += kThreads) {
      const int r = n / (kDeep / 4), c = n % (kDeep / 4) * 4, i = first_i + r, j = first_j + r;
      const bool inside = first_c + c < channels;
      const float4 zero = {};
      store4(&q_tile[r][c], inside && i < positions ? load4(q + i * pitch + c) : zero);
      store4(&k_tile[r][c], inside && j < positions ? load4(k + j * pitch + c) : zero);
    }
    __syncthreads();
// END: load_tiles
