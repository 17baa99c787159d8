// ENTRY: fused
// CLASS: race
// CAUSE: The barrier behind the products is missing: a warp loads the next tile of the weight while others still multiply with this one.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|weight|shared|loop|fused_output
// NEVER: without (gamma|beta|bias)
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// NEVER: __activemask
// HELD: yes
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const float* row = normalized + (threadIdx.y + kStep * i) * width + first_h;
        for (int k = 0; k < kTile; ++k) dot[i] += row[k] * tile[threadIdx.x][k];
      }
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i] + bias[o];
    }
  }
// END: fused_output
