// STYLE: as the hints have it
// FILL ME IN: walk (roughly 16 lines)
  const int visits = first + kRun <= tokens ? kRun : static_cast<int>(tokens - first);
  const int my_id = lane < visits ? ids[first + lane] : -1;
  const int my_token = lane < visits ? order[first + lane] : -1;
  Piece value{};
  int id_before = 0;
  for (int i = 0; i < visits; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i);
    const long token = __shfl_sync(kAllLanes, my_token, i);
    if (i == 0 || id != id_before) {
      const bool known = id >= 0 && id < vocabulary;
      value = known && piece < pieces ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    }
    id_before = id;
    if (piece < pieces) out[token * pieces + piece] = value;
  }
// END: walk
