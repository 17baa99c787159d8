// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each result is computed by itself, so each product loads both of its factors.
// SAYS: q\b|k\b|qkv|loads?|requests?|sectors|read
// SAYS: times|sectors|passes|more than|again
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 8 lines)
  for (int a = 0; a < kEach; ++a)
    for (int b = 0; b < kEach; ++b) {
      const volatile float* mine = q_row[a];
      const volatile float* theirs = k_row[b];
      for (int c = 0; c < channels; ++c) sum[a][b] += mine[c] * theirs[c];
    }
// END: products
