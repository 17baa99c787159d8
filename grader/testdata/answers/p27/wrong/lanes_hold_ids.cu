// ENTRY: kernel
// CLASS: tail
// CAUSE: Lanes behind the end of the bag hold id 0, which names a row, and all 32 lanes' ids are visited: row 0 of the table is added once for each spare lane.
// SAYS: -1.* in place of .*0|row 0|id 0|table\[0\]|first row|spare|padd|behind the (end|last)|past the (end|last)|beyond|more ids|end of (the|its|a) bag|multiple of 32|32
  // FILL ME IN: pool_bag (roughly 15 lines)
  const int begin = offsets[bag];
  const int end = bag == bags - 1 ? count : offsets[bag + 1];
  const int size = end - begin;
  // 32 ids at a time, one a lane, and then handed round.
  for (int base = 0; base < pieces; base += kWarp) {
    const int piece = base + lane;
    Piece sum{};
    for (int chunk = begin; chunk < end; chunk += kWarp) {
      const int my_id = chunk + lane < end ? ids[chunk + lane] : 0;
#pragma unroll 4
      for (int source = 0; source < kWarp; ++source) {
        const int id = __shfl_sync(0xffffffffu, my_id, source);
        if (id >= 0 && id < vocabulary && piece < pieces)
          sum = sum_of(sum, table[static_cast<long>(id) * pieces + piece]);
      }
    }
    if (mean && size > 0) sum = scaled(sum, 1.0f / static_cast<float>(size));
    if (piece < pieces) out[bag * pieces + piece] = sum;
  }
  // END: pool_bag
