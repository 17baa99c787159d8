// ENTRY: kernel
// CLASS: tail
// CAUSE: Only whole chunks get into the list: the rest of each tensor is left out.
// SAYS: chunk|table|rest|left|launch|element|smaller
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: table (roughly 5 lines)
  for (int t = 0; t < tensors; ++t) {
    const long whole = sizes[t] / kChunk;
    for (long c = 0; c < whole; ++c) chunks.push_back({offsets[t] + c * kChunk, kChunk});
    if (whole == 0 && sizes[t] > 0) chunks.push_back({offsets[t], sizes[t]});
  }
// END: table
