// ENTRY: fused
// CLASS: index
// CAUSE: The weight is read as if it were [H,O]: weight[h * O + o] instead of weight[o * H + h].
// SAYS: weight|fused_output
// SAYS: transpos|index|\[H,O\]|axis|axes|order|exchanged|swap
// NEVER: without (gamma|beta|bias)|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      for (int y = threadIdx.y; y < kTile; y += kStep) {
        const int h = first_h + threadIdx.x, at = first_o + y;
        tile[y][threadIdx.x] = h < hidden && at < out_dim ? weight[static_cast<size_t>(h) * out_dim + at] : 0.0f;
      }
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const float* row = normalized + (threadIdx.y + kStep * i) * width + first_h;
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
