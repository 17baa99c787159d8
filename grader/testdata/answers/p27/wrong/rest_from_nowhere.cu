// ENTRY: kernel
// CLASS: index
// CAUSE: The one to three ids that are left after groups of four are read at ids[rest], counted from the start of the whole list, and not at ids[first + rest] of this bag.
// SAYS: first|offset|start of|begin|another bag|other bag|bag 0|rest|last|left over|remain|multiple of (4|four)
  // FILL ME IN: pool_bag (roughly 15 lines)
  const int first = offsets[bag];
  const int length = (bag + 1 < bags ? offsets[bag + 1] : count) - first;
  const float factor = mean && length > 0 ? 1.0f / length : 1.0f;
  const auto row = [&](int i, int piece) {
    const int id = ids[i];
    Piece value{};
    if (id >= 0 && id < vocabulary) value = table[static_cast<long>(id) * pieces + piece];
    return value;
  };
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    const int fours = length / 4;
    for (int n = 0; n < fours; ++n) {
      const int i = first + 4 * n;
      const Piece a = row(i, piece), b = row(i + 1, piece), c = row(i + 2, piece), d = row(i + 3, piece);
      sum = sum_of(sum, sum_of(sum_of(a, b), sum_of(c, d)));
    }
    for (int rest = 4 * fours; rest < length; ++rest) sum = sum_of(sum, row(rest, piece));
    out[bag * pieces + piece] = scaled(sum, factor);
  }
  // END: pool_bag
