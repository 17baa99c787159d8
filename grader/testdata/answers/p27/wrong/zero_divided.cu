// ENTRY: kernel
// CLASS: missing-term
// CAUSE: An empty bag's mean is 0 times 1 / 0, which is NaN.
// SAYS: nan|empty|0 / 0|finite
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  const float factor = mean ? 1.0f / (end - first) : 1.0f;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, factor);
  }
// END: pool_bag
