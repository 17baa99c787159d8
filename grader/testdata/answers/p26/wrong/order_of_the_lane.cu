// ENTRY: kernel
// CLASS: index
// CAUSE: The tokens are read at order[lane] and not at order[first + lane]: all warps but the first write the first one's rows.
// SAYS: index|order
// NEVER: barrier is missing|atomics
// HELD: no
  // FILL ME IN: walk (roughly 19 lines)
  const int count = tokens - first < kRun ? static_cast<int>(tokens - first) : kRun;
  int my_id = -1, my_token = 0;
  if (lane < count) {
    my_id = ids[first + lane];
    my_token = order[lane];
  }
  Piece kept{};
  int last = -1;
  bool any = false;
  for (int i = 0; i < count; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i), token = __shfl_sync(kAllLanes, my_token, i);
    if (!any || id != last) {
      kept = Piece{};
      if (piece < pieces && id >= 0 && id < vocabulary) kept = table[static_cast<size_t>(id) * pieces + piece];
      last = id;
      any = true;
    }
    if (piece < pieces) out[static_cast<size_t>(token) * pieces + piece] = kept;
  }
  // END: walk
