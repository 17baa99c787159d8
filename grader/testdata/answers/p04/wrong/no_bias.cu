// ENTRY: unfused
// CLASS: missing-term
// CAUSE: `add_bias` copies x and never adds the bias.
// SAYS: bias
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|gelu (is )?(missing|not applied)
// HELD: no
// FILL ME IN: add_bias (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float value = x[row + c];
    biased[row + c] = value;
  }
// END: add_bias
