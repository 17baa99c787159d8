// ENTRY: fused
// CLASS: index
// CAUSE: The fused kernel stores at row + c of the tile's number instead of the row's: out is indexed with blockIdx.x.
// SAYS: \bout\b|\brows?\b
// SAYS: index|blockIdx|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|place|shift|another row|other row|wrong row
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|without (the )?bias
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  const size_t to = static_cast<size_t>(blockIdx.x) * columns;
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[to + c] = gelu(x[row + c] + bias[c]);
  }
// END: fused
