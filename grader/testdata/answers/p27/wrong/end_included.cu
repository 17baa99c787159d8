// ENTRY: kernel
// CLASS: index
// CAUSE: The loop runs up to and including end: the first id of the next bag is taken along, and for the last bag ids is read past its end.
// SAYS: \bids\b|next bag|first id
// SAYS: past|behind|beyond|outside|end|next|along
// NEVER: \brace\b|unknown ids
// HELD: yes
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i <= end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, mean && end > first ? 1.0f / (end - first) : 1.0f);
  }
// END: pool_bag
