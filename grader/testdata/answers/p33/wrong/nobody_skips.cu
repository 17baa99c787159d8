// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Nothing is skipped: the whole square is computed and stored.
// SAYS: floating|operations|written|out
// SAYS: times|nobody looks|more than
// NEVER: \brace\b|barrier|uninitiali|coalesced
// HELD: no
// FILL ME IN: skip (roughly 1 line)
  if (first_i >= positions || first_j >= positions) return;
// END: skip
