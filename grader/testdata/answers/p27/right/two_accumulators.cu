// STYLE: two sums that are added at the end, ids from the back
// FILL ME IN: pool_bag (roughly 16 lines)
  const int first = offsets[bag];
  int last = (bag == bags - 1 ? count : offsets[bag + 1]) - 1;
  const int length = last - first + 1;
  const double share = mean && length > 0 ? 1.0 / length : 1.0;
  for (int piece = lane; piece < pieces; piece += kWarp) {
    Piece even{}, odd{};
    for (int i = last; i >= first; --i) {
      const int id = ids[i];
      if (id < 0 || id > vocabulary - 1) continue;
      Piece& into = (i & 1) ? odd : even;
      into = sum_of(into, table[size_t(id) * size_t(pieces) + piece]);
    }
    out[bag * pieces + piece] = scaled(sum_of(even, odd), static_cast<float>(share));
  }
// END: pool_bag
