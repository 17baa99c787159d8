// ENTRY: kernel
// CLASS: tail
// CAUSE: The last chunk of a tensor, not full, is not in the table.
// SAYS: no kernel.*(does|condition|count)|chunk|whole groups
// NEVER: <<<|\brace\b|barrier
// HELD: no
  // FILL ME IN: table (roughly 3 lines)
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin + kChunk <= sizes[t]; begin += kChunk)
      chunks.push_back({offsets[t] + begin, std::min(kChunk, sizes[t] - begin)});
  // END: table
