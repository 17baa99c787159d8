// ENTRY: fused
// CLASS: over-budget
// CAUSE: The rows are normalised again for each output: x, gamma and beta are read O times, and a warp asks for one value at a time.
// SAYS: \bx\b|\bgamma\b|\bbeta\b
// SAYS: times|\bagain\b|each output|every output|passes|once|per output|sectors?|lanes
// NEVER: extra launch|uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  __shared__ float means[kTile], rstds[kTile];
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    q = warp_sum(q);
    if (threadIdx.x == 0) means[y] = mean, rstds[y] = rsqrtf(q / hidden + eps);
  }
// END: fused_stats
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const int y = threadIdx.y + kStep * i;
        if (first_row + y >= rows) continue;
        const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
        for (int k = 0; k < kTile && first_h + k < hidden; ++k) {
          const int h = first_h + k;
          dot[i] += ((x_row[h] - means[y]) * rstds[y] * gamma[h] + beta[h]) * tile[threadIdx.x][k];
        }
      }
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i] + bias[o];
    }
  }
// END: fused_output
