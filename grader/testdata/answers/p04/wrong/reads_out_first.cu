// ENTRY: fused
// CLASS: uninitialised
// CAUSE: `out` is used as a running sum (+=) although it holds nothing before the call.
// SAYS: \bout\b
// SAYS: before|never written|uninitiali|nobody|holds nothing|\+=|reads?
// NEVER: cudaMemset|\brace\b
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] += gelu(x[row + c] + bias[c]);
  }
// END: fused
