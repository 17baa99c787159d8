// ENTRY: shared
// CLASS: scaling
// CAUSE: eps stands outside the root.
// SAYS: \beps
// SAYS: outside|root
// NEVER: \brace\b|weight (is )?missing
// HELD: yes
// FILL ME IN: keep_in_shared (roughly 3 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float v = x_row[c];
    kept[c] = v;
    sum += v * v;
  }
  const float rms = sqrtf(block_sum(sum) / columns);
  inverse_rms = 1.0f / (rms + eps);
// END: keep_in_shared
