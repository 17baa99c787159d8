// STYLE: a ballot tells where ids change, the walk goes from change to change
// FILL ME IN: walk (roughly 22 lines)
  const int visits = tokens - first < kRun ? static_cast<int>(tokens - first) : kRun;
  const int id = lane < visits ? ids[first + lane] : 0, token = lane < visits ? order[first + lane] : 0;
  const int before = __shfl_up_sync(kAllLanes, id, 1);
  unsigned changes = __ballot_sync(kAllLanes, lane < visits && (lane == 0 || id != before));
  while (changes != 0) {
    const int begin = __ffs(changes) - 1;
    changes &= changes - 1;
    const int end = changes != 0 ? __ffs(changes) - 1 : visits;
    const int row = __shfl_sync(kAllLanes, id, begin);
    Piece value{};
    if (piece < pieces && row >= 0 && row < vocabulary) value = table[static_cast<long>(row) * pieces + piece];
    for (int i = begin; i < end; ++i) {
      const long to = __shfl_sync(kAllLanes, token, i);
      if (piece < pieces) out[to * pieces + piece] = value;
    }
  }
// END: walk
