// ENTRY: kernel
// CLASS: pointer
// CAUSE: id times pieces is taken in 32 bits and then judged: some unknown ids come back into the table.
// SAYS: 32 bits|unknown|overflow|id x width
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: walk (roughly 3 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  Piece value{};
  for (int i = 0; i < visits && piece < pieces; ++i) {
    const int id = ids[first + i];
    if (i == 0 || id != ids[first + i - 1]) {
      const unsigned at = static_cast<unsigned>(id) * pieces;
      value = at < static_cast<unsigned>(vocabulary) * pieces ? table[at + piece] : Piece{};
    }
    out[static_cast<long>(order[first + i]) * pieces + piece] = value;
  }
// END: walk
