// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Ids beyond the table are cut to its last row in place of zeros.
// SAYS: cut|clamp|last
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool valid = id >= 0;
  const Piece* from = table + static_cast<long>(valid ? min(id, vocabulary - 1) : 0) * pieces;
  Piece* to = out + token * pieces;
  for (int p = lane; p < pieces; p += kWarp) to[p] = valid ? from[p] : Piece{};
  // END: gather_row
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (width % 4 == 0 && (reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out)) % 16 == 0)
    gather_kernel<float4><<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), tokens, vocabulary, width / 4);
  else
    gather_kernel<float><<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  // END: launch
