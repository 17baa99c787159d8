// ENTRY: kernel
// CLASS: mask
// CAUSE: Lanes past the end of the row return, and the shuffles of the others name them.
// SAYS: lanes?|mask|shuffle|shfl
// SAYS: reach|missing|left|return|mask|exit
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: walk (roughly 3 lines)
  if (piece >= pieces) return;
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  const int my_id = lane < visits ? ids[first + lane] : -1, my_token = lane < visits ? order[first + lane] : -1;
  Piece value{};
  int id_before = 0;
  for (int i = 0; i < visits; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i);
    const long token = __shfl_sync(kAllLanes, my_token, i);
    if (i == 0 || id != id_before)
      value = id >= 0 && id < vocabulary ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    id_before = id;
    out[token * pieces + piece] = value;
  }
// END: walk
