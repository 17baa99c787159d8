// ENTRY: kernel
// CLASS: mask
// CAUSE: The shuffles are called by lanes that have a piece alone, with a mask that names all.
// SAYS: mask|lanes|shfl|shuffle
// SAYS: all|named|call|reach|branch|mask
// NEVER: activemask|out.of.bounds
// HELD: no
  // FILL ME IN: walk (roughly 16 lines)
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  // One request for 32 ids, one for 32 tokens; from here on they are handed round by shuffles.
  const int my_id = lane < visits ? ids[first + lane] : -1;
  const int my_token = lane < visits ? order[first + lane] : -1;
  Piece value{};
  for (int i = 0; i < visits; ++i) {
    if (piece >= pieces) continue;
    const int id = __shfl_sync(kAllLanes, my_id, i);
    const long token = __shfl_sync(kAllLanes, my_token, i);
    const int id_before = __shfl_sync(kAllLanes, my_id, i > 0 ? i - 1 : 0);
    if (i == 0 || id != id_before) {
      const bool known = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
      value = known && piece < pieces ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    }
    // Lanes past the end of the row stay for the shuffles; they have nothing to write.
    if (piece < pieces) __stcs(out + token * pieces + piece, value);
  }
  // END: walk
