// ENTRY: kernel
// CLASS: index
// CAUSE: Stored at [j][i].
// SAYS: transpos|exchang|swap|row|column
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int a = 0; a < kEach; ++a) {
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i >= positions || j >= positions) continue;
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(j) * positions + i] = sum * scale;
    }
  }
  // END: products
