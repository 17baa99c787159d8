// ENTRY: kernel
// CLASS: pointer
// CAUSE: id times pieces is taken in 32 bits and then judged: some unknown ids come back into the table.
// SAYS: id|32 bits|unknown|overflow|element|row
// NEVER: \brace\b|empty|\bmean\b
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i) {
      const unsigned at = static_cast<unsigned>(ids[i]) * pieces;
      if (at < static_cast<unsigned>(vocabulary) * pieces) sum = sum_of(sum, table[at + piece]);
    }
    out[bag * pieces + piece] = scaled(sum, mean && end > first ? 1.0f / (end - first) : 1.0f);
  }
// END: pool_bag
