// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Neighbouring lanes fetch neighbouring rows: a sector each, half of it used.
// SAYS: coalesced|sectors|lanes
// SAYS: apart|sectors|times
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = thread; n < kTile * kDeep / 4; n += kThreads) {
      const int r = n % kTile, c = n / kTile * 4, i = first_i + r, j = first_j + r;
      const bool inside = first_c + c < channels;
      const float4 zero = {};
      store4(&q_tile[r][c], inside && i < positions ? load4(q + i * pitch + first_c + c) : zero);
      store4(&k_tile[r][c], inside && j < positions ? load4(k + j * pitch + first_c + c) : zero);
    }
    __syncthreads();
// END: load_tiles
