// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squared distance of query and key is added up and not their product.
// SAYS: \bq\b|\bk\b|product|differ
// SAYS: minus|differ|square|\-|place|belongs
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += (q[i * pitch + c] - k[j * pitch + c]) * (q[i * pitch + c] - k[j * pitch + c]);
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
