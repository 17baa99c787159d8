// ENTRY: fused
// CLASS: index
// CAUSE: The product takes rows threadIdx.y + kEach * i (4 apart), the store rows threadIdx.y + kStep * i (8 apart): outputs get the dot product of another position.
// SAYS: \brow|position|kEach|kStep
// SAYS: (another|other|wrong) (row|position)|kEach|kStep|step|stride|apart|shift|index|exchanged|order
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const float* row = normalized + (threadIdx.y + kEach * i) * width + first_h;
        for (int k = 0; k < kTile; ++k) dot[i] += row[k] * tile[threadIdx.x][k];
      }
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i] + bias[o];
    }
  }
// END: fused_output
