// ENTRY: kernel
// CLASS: index
// CAUSE: The keys are counted from the last position back.
// SAYS: \bk\b|keys?
// SAYS: other end|last|revers|opposite
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[(positions - 1 - j) * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
