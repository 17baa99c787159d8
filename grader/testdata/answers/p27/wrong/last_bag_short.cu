// ENTRY: kernel
// CLASS: tail
// CAUSE: The last bag ends at count - 1.
// SAYS: last
// SAYS: one id|early|short|end|count
// NEVER: \brace\b|barrier|offsets. is read outside
// HELD: yes
  // FILL ME IN: pool_bag (roughly 14 lines)
  const int begin = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count - 1;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    int valid = 0;
    for (int i = begin; i < end; ++i) {
      const int id = ids[i];
      if (id >= 0 && id < vocabulary) {
        sum = sum_of(sum, table[static_cast<size_t>(id) * pieces + piece]);
        ++valid;
      }
    }
    if (mean && end > begin) sum = scaled(sum, 1.0f / (end - begin));
    out[bag * pieces + piece] = sum;
  }
  // END: pool_bag
