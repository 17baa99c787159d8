// ENTRY: fused
// CLASS: over-budget
// CAUSE: The positions are normalised again for each tile of 32 outputs: x, gamma and beta are read O / 32 times as often.
// SAYS: \bx\b|\bgamma\b|\bbeta\b
// SAYS: times|\bagain\b|each|every|passes|once|per (output|tile)
// NEVER: extra launch
// NEVER: uncoalesced|not coalesced
// NEVER: wrong (answer|result|value)
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  const auto normalise = [&](int y) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  };
// END: fused_stats
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kStep) normalise(y);
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
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
