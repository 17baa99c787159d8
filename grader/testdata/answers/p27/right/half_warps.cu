// STYLE: two half warps take every second id each, and meet by a shuffle
// FILL ME IN: pool_bag (roughly 22 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  const int half = lane / 16, place = lane % 16;
  const float factor = mean && end > first ? 1.0f / (end - first) : 1.0f;
  const auto pass = [](Piece v) {
    float* f = reinterpret_cast<float*>(&v);
    for (unsigned k = 0; k < sizeof(Piece) / sizeof(float); ++k) f[k] += __shfl_xor_sync(0xffffffffu, f[k], 16);
    return v;
  };
  for (int base = 0; base < pieces; base += 16) {
    const int piece = base + place;
    Piece sum{};
    if (piece < pieces)
      for (int i = first + half; i < end; i += 2) {
        const int id = ids[i];
        if (id >= 0 && id < vocabulary) sum = sum_of(sum, table[static_cast<long>(id) * pieces + piece]);
      }
    sum = pass(sum);
    if (half == 0 && piece < pieces) out[bag * pieces + piece] = scaled(sum, factor);
  }
// END: pool_bag
