// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The first token of a warp is compared with the last id of the warp before, and reads nothing when they are equal: its row is zero.
// SAYS: first|row|table|zero|\b0\b|token|warp
// SAYS: first|warp|\b0\b|zero|run|32
// NEVER: \brace\b|unknown ids that get
// HELD: yes
// FILL ME IN: walk (roughly 3 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  Piece value{};
  for (int i = 0; i < visits && piece < pieces; ++i) {
    const long at = first + i;
    const int id = ids[at];
    if (at == 0 || id != ids[at - 1])
      value = id >= 0 && id < vocabulary ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    out[static_cast<long>(order[at]) * pieces + piece] = value;
  }
// END: walk
