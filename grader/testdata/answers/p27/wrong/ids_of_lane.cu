// ENTRY: kernel
// CLASS: index
// CAUSE: Every lane takes other ids of the bag, so that each column has the ids of its own lane only.
// SAYS: lane|ids|column|warp|sum|pool_bag
// SAYS: own|only|every|each|wrong|lane
// NEVER: \brace\b|unknown ids stand
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  const float factor = mean && end > first ? 1.0f / (end - first) : 1.0f;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first + lane; i < end; i += kWarp)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, factor);
  }
// END: pool_bag
