// ENTRY: kernel
// CLASS: mask
// CAUSE: Only -1 is taken for an unknown id; others are read outside the table.
// SAYS: table
// SAYS: past|behind|beyond|outside|before|out.of.bounds
// NEVER: \brace\b|empty
// HELD: yes
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] != -1) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, mean && end > first ? 1.0f / (end - first) : 1.0f);
  }
// END: pool_bag
