// ENTRY: kernel
// CLASS: mask
// CAUSE: Lane 0 gets its own id back from __shfl_up_sync, so that the first token of a warp never counts as a change, and the tokens before the first change are not written.
// HELD: no
// SAYS: lane 0|first (token|lane|id|run|bit|one)|lane == 0|shfl_up|own id|first
  // FILL ME IN: walk (roughly 16 lines)
  const int count = tokens - first < kRun ? static_cast<int>(tokens - first) : kRun;
  const int id = lane < count ? ids[first + lane] : -1;
  const int token = lane < count ? order[first + lane] : 0;
  // A bit for each token whose id is another one than that of the token before it.
  const int before = __shfl_up_sync(kAllLanes, id, 1);
  unsigned heads = __ballot_sync(kAllLanes, lane < count && id != before);
  while (heads != 0) {
    const int begin = __ffs(heads) - 1;
    heads &= heads - 1;
    const int end = heads != 0 ? __ffs(heads) - 1 : count;
    const int wanted = __shfl_sync(kAllLanes, id, begin);
    Piece kept = {};
    if (piece < pieces && wanted >= 0 && wanted < vocabulary)
      kept = table[static_cast<size_t>(wanted) * pieces + piece];
    for (int t = begin; t < end; ++t) {
      const size_t to = __shfl_sync(kAllLanes, token, t);
      if (piece < pieces) out[to * pieces + piece] = kept;
    }
  }
  // END: walk
  // FILL ME IN: launch (roughly 10 lines)
  const auto off = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16; };
  const bool whole = width % 4 == 0 && off(table) == 0 && off(out) == 0;
  const int pieces = whole ? width / 4 : width;
  constexpr long kTokens = static_cast<long>(kRun) * kWarpsPerBlock;  // of a block
  const dim3 grid(static_cast<unsigned>((tokens + kTokens - 1) / kTokens), (pieces + kWarp - 1) / kWarp);
  if (whole)
    sorted_kernel<<<grid, kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                      reinterpret_cast<float4*>(out), tokens, vocabulary, pieces);
  else
    sorted_kernel<<<grid, kThreads>>>(ids, order, table, out, tokens, vocabulary, pieces);
  // END: launch
