// STYLE: four ids at a time by hand, unknown ones and the tail times 0
// FILL ME IN: pool_bag (roughly 20 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  const auto row_of = [&](int i, int piece) {
    const int id = i < end ? ids[i] : -1;
    return id >= 0 && id < vocabulary ? table[static_cast<long>(id) * pieces + piece] : Piece{};
  };
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; i += 4) {
      const Piece a = row_of(i, piece), b = row_of(i + 1, piece), c = row_of(i + 2, piece), d = row_of(i + 3, piece);
      sum = sum_of(sum, sum_of(sum_of(a, b), sum_of(c, d)));
    }
    if (mean && end > first) sum = scaled(sum, 1.0f / (end - first));
    out[bag * pieces + piece] = sum;
  }
// END: pool_bag
