// ENTRY: fused
// CLASS: launch-shape
// CAUSE: The stride between a thread's columns is twice the block: every second run of 128 columns is never written, and the next tile is written twice.
// SAYS: column|\bout\b
// SAYS: never (been )?written|not written|unwritten|out.of.bounds|past|\b128\b|\b256\b|race
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|\brace\b|without (the )?bias
// HELD: no
// FILL ME IN: fused (roughly 4 lines)
  for (int i = 0; i < kPerThread / 2; ++i) {
    const int c = first + i * 2 * kThreads;
    if (c < columns) out[row + c] = gelu(x[row + c] + bias[c]);
  }
// END: fused
