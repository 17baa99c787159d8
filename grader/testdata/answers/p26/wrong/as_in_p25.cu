// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The row is read for every token, as if no id came twice.
// SAYS: table
// SAYS: times|again|every token|twice|passes|over
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)|extra launch
// HELD: no
// FILL ME IN: walk (roughly 3 lines)
  const long end = min(first + kRun, static_cast<long>(tokens));
  for (long i = first; i < end && piece < pieces; ++i) {
    const int id = ids[i];
    const long token = order[i];
    __stcs(out + token * pieces + piece,
           id >= 0 && id < vocabulary ? __ldcv(table + static_cast<long>(id) * pieces + piece) : Piece{});
  }
// END: walk
