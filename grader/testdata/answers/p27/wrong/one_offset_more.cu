// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: offsets[bags] is read, one behind the last.
// SAYS: offsets
// SAYS: past|behind|beyond|outside|end|out.of.bounds
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = offsets[bag + 1];
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, mean && end > first ? 1.0f / (end - first) : 1.0f);
  }
// END: pool_bag
