// STYLE: no shuffles: every lane reads the id and the token of each visit; floats only
// FILL ME IN: walk (roughly 12 lines)
  const long end = min(first + kRun, static_cast<long>(tokens));
  int id_before = -1;
  Piece value{};  // -1 names no row, and this is its row.
  for (long i = first; i < end && piece < pieces; ++i) {
    const int id = ids[i];
    if (id != id_before) value = id < 0 || id >= vocabulary ? Piece{} : table[static_cast<long>(id) * pieces + piece];
    id_before = id;
    out[static_cast<long>(order[i]) * pieces + piece] = value;
  }
// END: walk
// FILL ME IN: launch (roughly 2 lines)
  const int runs_a_block = kRun * kWarpsPerBlock;
  sorted_kernel<float><<<dim3((tokens + runs_a_block - 1) / runs_a_block, (width + kWarp - 1) / kWarp), kThreads>>>(
      ids, order, table, out, tokens, vocabulary, width);
// END: launch
