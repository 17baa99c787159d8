// STYLE: a ballot finds where runs of equal ids begin; each run is read once and written for all its tokens
// FILL ME IN: walk (roughly 16 lines)
  const long at = first + lane;
  const bool present = at < tokens;
  const int my_id = present ? ids[at] : -1;
  const int my_token = present ? order[at] : 0;
  const int left_id = __shfl_up_sync(kAllLanes, my_id, 1);
  const int visits = __popc(__ballot_sync(kAllLanes, present));
  unsigned heads = __ballot_sync(kAllLanes, present && (lane == 0 || my_id != left_id));
  const bool has_piece = piece < pieces;
  do {
    const int begin = __ffs(static_cast<int>(heads)) - 1;
    heads &= heads - 1;
    const int end = heads != 0 ? __ffs(static_cast<int>(heads)) - 1 : visits;
    const int id = __shfl_sync(kAllLanes, my_id, begin);
    Piece row{};
    if (has_piece && static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary))
      row = table[static_cast<long>(id) * pieces + piece];
    for (int i = begin; i < end; ++i) {
      const long token = __shfl_sync(kAllLanes, my_token, i);
      if (has_piece) out[token * pieces + piece] = row;
    }
  } while (heads != 0);
// END: walk
// FILL ME IN: launch (roughly 10 lines)
  const auto address_bits = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out) |
                            (static_cast<std::uintptr_t>(width) * sizeof(float));
  const bool vectors = (address_bits & 15u) == 0;
  const int pieces = vectors ? width / 4 : width;
  dim3 grid;
  grid.x = static_cast<unsigned>((static_cast<long>(tokens) + kRun * kWarpsPerBlock - 1) / (kRun * kWarpsPerBlock));
  grid.y = static_cast<unsigned>((pieces + kWarp - 1) / kWarp);
  if (vectors) {
    sorted_kernel<float4><<<grid, kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                              reinterpret_cast<float4*>(out), tokens, vocabulary, pieces);
  } else {
    sorted_kernel<float><<<grid, kThreads>>>(ids, order, table, out, tokens, vocabulary, pieces);
  }
// END: launch
