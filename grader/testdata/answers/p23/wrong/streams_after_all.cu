// ENTRY: shared
// CLASS: over-budget
// CAUSE: The second pass reads x again, though the row lies in shared memory.
// SAYS: \bx\b
// SAYS: twice|\b2(\.0)? (times|passes)|again|second|passes
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
// FILL ME IN: scale_from_shared (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out_row[c] = x_row[c] * (inverse_rms * weight[c]);
// END: scale_from_shared
