// ENTRY: kernel
// CLASS: tail
// CAUSE: The last warp visits 32 tokens as well, and reads ids past their end.
// SAYS: \bids\b|order
// SAYS: past|behind|beyond|outside|end|out.of.bounds
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: walk (roughly 3 lines)
  Piece value{};
  int id_before = 0;
  for (int i = 0; i < kRun && piece < pieces; ++i) {
    const int id = ids[first + i];
    if (i == 0 || id != id_before)
      value = id >= 0 && id < vocabulary ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    id_before = id;
    out[static_cast<long>(order[first + i]) * pieces + piece] = value;
  }
// END: walk
