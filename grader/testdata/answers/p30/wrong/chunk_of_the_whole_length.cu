// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: A chunk is as long as the whole tensor, and not as what is left of it: the last chunk of a long tensor goes on behind its end.
// SAYS: sizes
// SAYS: begin
// NEVER: barrier
// HELD: no
// FILL ME IN: table
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin < sizes[t]; begin += kChunk)
      chunks.push_back({offsets[t] + begin, std::min(kChunk, sizes[t])});
// END: table
