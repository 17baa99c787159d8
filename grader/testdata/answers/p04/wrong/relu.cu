// ENTRY: fused
// CLASS: missing-term
// CAUSE: ReLU is computed where GELU was asked for.
// SAYS: fused|gelu|tanh
// SAYS: relu|negative|positive|is 0|zero|tanh|max
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|\brace\b|without (the )?bias
// HELD: no
// FILL ME IN: fused (roughly 4 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = fmaxf(x[row + c] + bias[c], 0.0f);
  }
// END: fused
