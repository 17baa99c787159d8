// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Empty bags return early, their rows are never written.
// SAYS: never (been )?written|not written|left as they were
// NEVER: \brace\b|unknown ids|last block
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  if (first >= end) return;
  const float factor = mean ? 1.0f / (end - first) : 1.0f;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, factor);
  }
// END: pool_bag
