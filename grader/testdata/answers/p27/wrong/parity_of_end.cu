// ENTRY: kernel
// CLASS: index
// CAUSE: In pool_bag two ids are taken a turn, and whether one is left over is asked of end (end % 2) and not of the length of the bag: in a bag that begins at an odd offset the last id is left out if the length is odd, and added twice if it is even. Bags that begin at even offsets are right.
// SAYS: end - begin|length
// SAYS: \bend\b|%
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
// FILL ME IN: pool_bag (roughly 15 lines)
  const int begin = offsets[bag];
  const int end = bag + 1 == bags ? count : offsets[bag + 1];
  const float factor = mean && begin < end ? 1.0f / static_cast<float>(end - begin) : 1.0f;
  for (int p = lane; p < pieces; p += kWarp) {
    const auto row = [&](int i) {
      const int id = ids[i];
      return id < 0 || id >= vocabulary ? Piece{} : table[static_cast<long>(id) * pieces + p];
    };
    Piece even{}, odd{};  // two rows under way
    for (int i = begin; i + 1 < end; i += 2) {
      const Piece r0 = row(i);
      const Piece r1 = row(i + 1);
      even = sum_of(even, r0);
      odd = sum_of(odd, r1);
    }
    if (begin < end && end % 2 == 1) even = sum_of(even, row(end - 1));
    out[bag * pieces + p] = scaled(sum_of(even, odd), factor);
  }
// END: pool_bag
// FILL ME IN: launch (roughly 9 lines)
  const int grid = (bags + kWarpsPerBlock - 1) / kWarpsPerBlock;
  const bool average = mean == 1;
  if ((width & 3) != 0) {
    bag_kernel<float><<<grid, kThreads>>>(ids, offsets, table, out, bags, count, vocabulary, width, average);
    return;
  }
  const auto* rows4 = reinterpret_cast<const float4*>(table);
  auto* out4 = reinterpret_cast<float4*>(out);
  bag_kernel<float4><<<grid, kThreads>>>(ids, offsets, rows4, out4, bags, count, vocabulary, width / 4, average);
// END: launch
