// ENTRY: kernel
// CLASS: pointer
// CAUSE: Keys are taken to lie heads * channels apart; queries, keys and values lie between them.
// SAYS: k|key
// SAYS: 3|pitch|behind|apart
// NEVER: \brace\b|barrier|scale
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * (pitch / 3) + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
