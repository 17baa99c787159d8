// ENTRY: kernel
// CLASS: barrier
// CAUSE: The barrier stands in a branch that rows past the end do not take.
// SAYS: barrier|__syncthreads
// NEVER: wrong mask
// HELD: yes
    // FILL ME IN: load_tiles (roughly 7 lines)
    for (int at = thread; at < kTile * kPieces; at += kThreads) {
      const int r = at / kPieces, p = at % kPieces;
      const bool there = first + p < pieces;
      q_tile[r][p] = there && first_i + r < positions ? q[(first_i + r) * pitch + first + p] : float4{};
      k_tile[r][p] = there && first_j + r < positions ? k[(first_j + r) * pitch + first + p] : float4{};
    }
    if (first_i + static_cast<int>(threadIdx.y) < positions) __syncthreads();
    // END: load_tiles
