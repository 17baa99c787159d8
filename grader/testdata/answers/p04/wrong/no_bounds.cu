// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: The column is never compared with `columns`: the last tile of a row runs over its end.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|columns|bounds|compare
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    out[row + c] = gelu(x[row + c] + bias[c]);
  }
// END: fused
