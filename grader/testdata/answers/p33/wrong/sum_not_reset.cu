// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Sum goes on from one result to the next of a row.
// SAYS: set to 0|begin|anew|before|still in it
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int a = 0; a < kEach; ++a) {
    float sum = 0.0f;
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i >= positions || j >= positions) continue;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  }
  // END: products
