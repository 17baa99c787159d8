// ENTRY: kernel
// CLASS: scaling
// CAUSE: The mean divides by the number of known ids, not by the number of ids.
// SAYS: known|mean|divi|number of ids
// NEVER: \brace\b|last id
// HELD: yes
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  int known = 0;
  for (int i = first; i < end; ++i) known += ids[i] >= 0 && ids[i] < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece sum{};
    for (int i = first; i < end; ++i)
      if (ids[i] >= 0 && ids[i] < vocabulary) sum = sum_of(sum, table[static_cast<long>(ids[i]) * pieces + piece]);
    out[bag * pieces + piece] = scaled(sum, mean && known > 0 ? 1.0f / known : 1.0f);
  }
// END: pool_bag
