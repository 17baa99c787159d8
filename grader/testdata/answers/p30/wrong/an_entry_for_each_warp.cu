// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Chunks of 32 parameters: seven warps of each block have nothing to do, and all ask for the list.
// SAYS: table|chunk|list|read|requested|allocat
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced|\brace\b
// HELD: yes
// FILL ME IN: table (roughly 3 lines)
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin < sizes[t]; begin += 32)
      chunks.push_back({offsets[t] + begin, std::min<long>(32, sizes[t] - begin)});
// END: table
