// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The bags are summed always; mean is ignored.
// SAYS: mean|averag|divi|number of ids|length
// NEVER: \brace\b|unknown ids|last id
// HELD: no
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = sum;
  }
// END: pool_bag
