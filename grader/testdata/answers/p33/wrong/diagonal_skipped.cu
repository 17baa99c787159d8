// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The comparison leaves also when the square lies on the diagonal: its results are missing.
// SAYS: diagonal|squares?|8|never written|nobody|skip
// SAYS: diagonal|never written|nobody|not written|left out|unwritten
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: skip (roughly 1 line)
  if (first_j + kEach > first_i) return;
// END: skip
