// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier between filling the tiles and reading them.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: __syncwarp|out of bounds
// HELD: no
// FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = thread; n < kTile * kDeep / 4; n += kThreads) {
      const int r = n / (kDeep / 4), c = n % (kDeep / 4) * 4, i = first_i + r, j = first_j + r;
      const bool inside = first_c + c < channels;
      const float4 zero = {};
      store4(&q_tile[r][c], inside && i < positions ? load4(q + i * pitch + first_c + c) : zero);
      store4(&k_tile[r][c], inside && j < positions ? load4(k + j * pitch + first_c + c) : zero);
    }
// END: load_tiles
