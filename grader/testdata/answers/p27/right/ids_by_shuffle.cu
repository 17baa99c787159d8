// STYLE: 32 ids are read at once, one by each lane, and handed round by shuffles
// FILL ME IN: pool_bag (roughly 18 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int base = 0; base < pieces; base += kWarp) {
    const int piece = base + lane;
    Piece sum{};
    for (int from = first; from < end; from += kWarp) {
      const int mine = from + lane < end ? ids[from + lane] : -1;
      const int batch = min(kWarp, end - from);
      for (int i = 0; i < batch; ++i) {
        const int id = __shfl_sync(0xffffffffu, mine, i);
        if (static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary) && piece < pieces)
          sum = sum_of(sum, table[static_cast<long>(id) * pieces + piece]);
      }
    }
    if (piece < pieces) out[bag * pieces + piece] = scaled(sum, mean && end > first ? 1.0f / (end - first) : 1.0f);
  }
// END: pool_bag
