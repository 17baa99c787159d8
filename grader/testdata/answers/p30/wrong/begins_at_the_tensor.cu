// ENTRY: kernel
// CLASS: index
// CAUSE: Every chunk of a tensor begins where the tensor begins: the first 4096 are updated again and again, the others never.
// SAYS: chunk|table|offset|begin|race|element|order
// NEVER: bias correction|epsilon
// HELD: no
// FILL ME IN: table (roughly 3 lines)
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin < sizes[t]; begin += kChunk)
      chunks.push_back({offsets[t], std::min(kChunk, sizes[t] - begin)});
// END: table
