// ENTRY: kernel
// CLASS: scaling
// CAUSE: Both q and k are multiplied with 1 / sqrt(HS).
// SAYS: HS|times|scale|root
// SAYS: HS|divided|sqrt|twice|again|times
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * scale * (k[j * pitch + c] * scale);
      scores[static_cast<size_t>(i) * positions + j] = sum;
    }
// END: products
