// ENTRY: kernel
// CLASS: scaling
// CAUSE: 1 / (end - begin) is a division of integers: 0 for every bag of two and more.
// SAYS: integer
// NEVER: \brace\b|barrier|multiple of
// HELD: no
  // FILL ME IN: pool_bag (roughly 14 lines)
  const int begin = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    [[maybe_unused]] int valid = 0;
    for (int i = begin; i < end; ++i) {
      const int id = ids[i];
      if (id >= 0 && id < vocabulary) {
        sum = sum_of(sum, table[static_cast<size_t>(id) * pieces + piece]);
        ++valid;
      }
    }
    if (mean && end > begin) sum = scaled(sum, 1 / (end - begin));
    out[bag * pieces + piece] = sum;
  }
  // END: pool_bag
