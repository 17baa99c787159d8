// ENTRY: kernel
// CLASS: index
// CAUSE: Every chunk of a tensor begins where the tensor does.
// SAYS: offsets
// SAYS: begin
// NEVER: barrier
// HELD: no
// FILL ME IN: table
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin < sizes[t]; begin += kChunk)
      chunks.push_back({offsets[t], std::min(kChunk, sizes[t] - begin)});
// END: table
