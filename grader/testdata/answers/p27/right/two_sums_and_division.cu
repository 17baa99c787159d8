// STYLE: the bag is walked from its end to its beginning by two sums in turn, with a lambda, a while loop and one generic launcher
  // FILL ME IN: pool_bag (roughly 15 lines)
  int begin = offsets[bag], end = count;
  if (bag != bags - 1) end = offsets[bag + 1];
  const auto add = [&](Piece& to, int i, int piece) {
    const int id = ids[i];
    if (static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary))
      to = sum_of(to, table[static_cast<size_t>(id) * pieces + piece]);
  };
  float by = 1.0f;
  if (mean && begin != end) by /= static_cast<float>(end - begin);
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece even{}, odd{};
    int i = end;
    while (i - begin >= 2) {
      add(even, --i, piece);
      add(odd, --i, piece);
    }
    if (i > begin) add(even, begin, piece);
    out[static_cast<size_t>(bag) * pieces + piece] = scaled(sum_of(even, odd), by);
  }
  // END: pool_bag
  // FILL ME IN: launch (roughly 9 lines)
  const unsigned blocks = (bags + kWarpsPerBlock - 1u) / kWarpsPerBlock;
  const auto go = [&](const auto* rows, auto* to, int pieces) {
    bag_kernel<<<blocks, kThreads>>>(ids, offsets, rows, to, bags, count, vocabulary, pieces, mean == 1);
  };
  if (width % 4)
    go(table, out, width);
  else
    go(reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), width / 4);
  // END: launch
