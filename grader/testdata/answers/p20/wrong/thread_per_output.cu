// ENTRY: fused
// CLASS: over-budget
// CAUSE: A thread for each output: the lanes walk along 32 different rows of the weight, and each request touches 32 sectors.
// SAYS: weight
// SAYS: sectors?|coalesc|neighbour|apart|lanes|stride
// NEVER: extra launch|normali[sz]e once|wrong (answer|result|value)
// HELD: no
// FILL ME IN: fused_output (roughly 15 lines)
  __syncthreads();
  for (int o = threadIdx.y * kTile + threadIdx.x; o < out_dim; o += kTile * kStep) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot[kTile] = {};
    for (int h = 0; h < hidden; ++h) {
      const float w = weight_row[h];
      for (int y = 0; y < kTile; ++y) dot[y] += normalized[y * width + h] * w;
    }
    for (int y = 0; y < kTile; ++y)
      if (first_row + y < rows) out[static_cast<size_t>(first_row + y) * out_dim + o] = dot[y] + bias[o];
  }
// END: fused_output
