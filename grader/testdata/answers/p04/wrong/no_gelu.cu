// ENTRY: fused
// CLASS: missing-term
// CAUSE: GELU is never applied: out is x + bias.
// SAYS: gelu|activation|x \+ bias
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|equal|is x \+ bias|x \+ bias
// NEVER: without (the )?bias|exactly this:.*\berf|(is|uses|computes) the erf
// HELD: yes
// FILL ME IN: fused (roughly 10 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = x[row + c] + bias[c];
  }
// END: fused
