// ENTRY: kernel
// CLASS: index
// CAUSE: Chunks begin at 0 and not at the offset of their tensor.
// SAYS: index
// SAYS: nobody changes|one element|offset
// NEVER: atomics?\b|barrier
// HELD: no
  // FILL ME IN: table (roughly 2 lines)
  for (int t = 0; t < tensors; ++t)
    for (long done = 0; done < sizes[t]; done += kChunk) chunks.push_back({done, std::min(kChunk, sizes[t] - done)});
  // END: table
