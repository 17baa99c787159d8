// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The loop steps by two: every other channel is left out.
// SAYS: channel|sum
// SAYS: every|half|2|odd|only
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; c += 2) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
