// ENTRY: kernel
// CLASS: index
// CAUSE: Rows are written one behind the other, in the order of the ids; order is not looked at.
// SAYS: order
// SAYS: not looked|never read|ignored|without|place|used|in the order
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: walk (roughly 3 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  Piece value{};
  for (int i = 0; i < visits && piece < pieces; ++i) {
    const int id = ids[first + i];
    if (i == 0 || id != ids[first + i - 1])
      value = id >= 0 && id < vocabulary ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    out[(first + i) * pieces + piece] = value;
  }
// END: walk
