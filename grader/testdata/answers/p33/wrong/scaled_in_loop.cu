// ENTRY: kernel
// CLASS: scaling
// CAUSE: The whole sum is multiplied with the scale in each step and not once.
// SAYS: scale|sqrt|HS|sum
// SAYS: each|step|every|again|inside
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum = (sum + q[i * pitch + c] * k[j * pitch + c]) * scale;
      scores[static_cast<size_t>(i) * positions + j] = sum;
    }
  // END: products
