// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The id before starts as 0, so a run that begins with id 0 never reads its row.
// SAYS: \b0\b
// SAYS: ids?\b
// SAYS: row|read|before
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: walk (roughly 16 lines)
  const int count = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  int my_id = -1, my_token = 0;
  if (lane < count) {
    my_id = ids[first + lane];
    my_token = order[first + lane];
  }
  int before = 0;
  Piece kept{};
  for (int i = 0; i < count; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i), token = __shfl_sync(kAllLanes, my_token, i);
    if (id != before) {
      kept = Piece{};
      if (id >= 0 && id < vocabulary && piece < pieces) kept = table[static_cast<size_t>(id) * pieces + piece];
      before = id;
    }
    if (piece < pieces) out[static_cast<size_t>(token) * pieces + piece] = kept;
  }
  // END: walk
  // FILL ME IN: launch (roughly 10 lines)
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  constexpr int kPerBlock = kRun * kWarpsPerBlock;
  const int blocks = (tokens + kPerBlock - 1) / kPerBlock;
  if (width % 4 == 0 && bases % 16 == 0) {
    const int pieces = width / 4;
    sorted_kernel<float4><<<dim3(blocks, (pieces + kWarp - 1) / kWarp), kThreads>>>(
        ids, order, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), tokens, vocabulary, pieces);
  } else {
    sorted_kernel<float><<<dim3(blocks, (width + kWarp - 1) / kWarp), kThreads>>>(ids, order, table, out, tokens, vocabulary, width);
  }
  // END: launch
