// ENTRY: shared
// CLASS: missing-term
// CAUSE: The weight is left out.
// SAYS: weight
// SAYS: without|missing|left out|no\b|not|never
// NEVER: eps (is )?missing|\brace\b
// HELD: no
// FILL ME IN: scale_from_shared (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    kept[c] *= inverse_rms;
    out_row[c] = kept[c];
  }
// END: scale_from_shared
