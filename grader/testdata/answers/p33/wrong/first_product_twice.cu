// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sum begins with the first product, which the loop adds again.
// SAYS: channel 0|first|sum
// SAYS: twice|again|two
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = q[i * pitch] * k[j * pitch];
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
