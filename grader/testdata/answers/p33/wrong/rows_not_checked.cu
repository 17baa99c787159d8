// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Rows of q behind the last position are read and stored.
// SAYS: out-of-bounds|past|outside|beyond
// SAYS: qkv|out|rows?
// NEVER: \brace\b|barrier|uninitiali|misaligned
// HELD: no
// FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < first_i + kEach; ++i)
    for (int j = first_j; j < first_j + kEach; ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
// END: products
