// ENTRY: kernel
// CLASS: tail
// CAUSE: Channels behind the last one are fetched as if there were any: they are the next head's.
// SAYS: channel|head|load_tiles|last|tile|\bq\b|\bk\b|qkv
// SAYS: channel|next head|behind|last|load_tiles|past|beyond|outside
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = thread; n < kTile * kDeep / 4; n += kThreads) {
      const int r = n / (kDeep / 4), c = n % (kDeep / 4) * 4, i = first_i + r, j = first_j + r;
      const bool inside = first_c < channels;
      const float4 zero = {};
      store4(&q_tile[r][c], inside && i < positions ? load4(q + i * pitch + first_c + c) : zero);
      store4(&k_tile[r][c], inside && j < positions ? load4(k + j * pitch + first_c + c) : zero);
    }
    __syncthreads();
// END: load_tiles
