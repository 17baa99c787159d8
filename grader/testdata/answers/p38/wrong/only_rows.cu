// ENTRY: chosen
// CLASS: over-budget
// CAUSE: Decide looks at the rows alone, not at how many blocks fit.
// SAYS: unfused|choose|chos
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: decide (roughly 6 lines)
  faster = rows >= 3 * 132 * 32;
  // END: decide
