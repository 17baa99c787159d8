// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sum is set to zero once for a bag and not for each piece of the row, later pieces hold the earlier ones too.
// SAYS: sum|total
// SAYS: not set|not begun|anew|goes on|still|before
// NEVER: \brace\b|tail
// HELD: yes
  // FILL ME IN: pool_bag (roughly 15 lines)
  const int begin = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  Piece sum{};
  for (int piece = lane; piece < pieces; piece += kWarp) {
#pragma unroll 4
    for (int i = begin; i < end; ++i) {
      const int id = ids[i];
      if (id >= 0 && id < vocabulary) sum = sum_of(sum, table[static_cast<size_t>(id) * pieces + piece]);
    }
    if (mean && end > begin) sum = scaled(sum, 1.0f / (end - begin));
    out[static_cast<size_t>(bag) * pieces + piece] = sum;
  }
  // END: pool_bag
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (bags + kWarpsPerBlock - 1) / kWarpsPerBlock;
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if (width % 4 == 0 && bases % 16 == 0)
    bag_kernel<float4><<<blocks, kThreads>>>(ids, offsets, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), bags, count, vocabulary, width / 4, mean != 0);
  else
    bag_kernel<float><<<blocks, kThreads>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean != 0);
  // END: launch
