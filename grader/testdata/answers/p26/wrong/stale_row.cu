// ENTRY: kernel
// CLASS: missing-term
// CAUSE: For an unknown id nothing is loaded, so that its token gets the row kept from the id before.
// SAYS: unknown|row of the id before|kept|id
// NEVER: \brace\b|last token
// HELD: yes
// FILL ME IN: walk (roughly 3 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  Piece value{};
  for (int i = 0; i < visits && piece < pieces; ++i) {
    const int id = ids[first + i];
    if (id >= 0 && id < vocabulary && (i == 0 || id != ids[first + i - 1]))
      value = table[static_cast<long>(id) * pieces + piece];
    out[static_cast<long>(order[first + i]) * pieces + piece] = value;
  }
// END: walk
