// ENTRY: fused
// CLASS: over-budget
// CAUSE: One launch, but without tiles: every thread fetches its own row of x and its columns of the weights.
// SAYS: \bw[qkv]\b|\bx\b
// SAYS: times over|sectors|requested|passes|more than
// NEVER: \brace\b|bounds
// HELD: no
// FILL ME IN: load_tiles (roughly 5 lines)
    const int column = first_column + threadIdx.x;
// END: load_tiles
// FILL ME IN: multiply (roughly 7 lines)
    for (int c = first; c < first + kTile && c < channels; c++)
      for (int i = 0; i < kEach; i++) {
        int row = first_row + threadIdx.y + i * kStep;
        if (row < rows && column < width) {
          sum[0][i] += x[row * channels + c] * wq[c * width + column];
          sum[1][i] += x[row * channels + c] * wk[c * width + column];
          sum[2][i] += x[row * channels + c] * wv[c * width + column];
        }
      }
// END: multiply
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < kEach; i++) {
    int row = first_row + threadIdx.y + i * kStep;
    int column = first_column + threadIdx.x;
    if (row < rows && column < width) {
      q[row * width + column] = sum[0][i];
      k[row * width + column] = sum[1][i];
      v[row * width + column] = sum[2][i];
    }
  }
// END: store
