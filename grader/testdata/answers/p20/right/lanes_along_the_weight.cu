// STYLE: a warp for each output: a weight in a register for all positions of the tile, one sum a position at the end
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    __syncthreads();  // `normalized` is there, and the tile of the turn before has been read
    for (int i = 0; i < kEach; ++i) {
      const int o = first_o + threadIdx.y + kStep * i;
      if (o >= out_dim) continue;  // the same for the whole warp
      float sum[kTile] = {};
      for (int h = threadIdx.x; h < hidden; h += 32) {
        const float w = weight[static_cast<size_t>(o) * hidden + h];
#pragma unroll
        for (int y = 0; y < kTile; ++y) sum[y] = fmaf(normalized[y * width + h], w, sum[y]);
      }
#pragma unroll
      for (int y = 0; y < kTile; ++y) {
        const float all = warp_sum(sum[y]);
        if (threadIdx.x == y) tile[y][threadIdx.y + kStep * i] = all;
      }
    }
    __syncthreads();
    const int o = first_o + threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kStep)
      if (first_row + y < rows && o < out_dim)
        out[static_cast<size_t>(first_row + y) * out_dim + o] = tile[y][threadIdx.x] + bias[o];
  }
// END: fused_output
