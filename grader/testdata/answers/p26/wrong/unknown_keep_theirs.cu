// ENTRY: kernel
// CLASS: mask
// CAUSE: An unknown id is skipped: its token's row is never written.
// SAYS: never (been )?written|not written|unknown
// NEVER: \brace\b|last token
// HELD: no
// FILL ME IN: walk (roughly 3 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  Piece value{};
  for (int i = 0; i < visits && piece < pieces; ++i) {
    const int id = ids[first + i];
    if (id < 0 || id >= vocabulary) continue;
    if (i == 0 || id != ids[first + i - 1]) value = table[static_cast<long>(id) * pieces + piece];
    out[static_cast<long>(order[first + i]) * pieces + piece] = value;
  }
// END: walk
