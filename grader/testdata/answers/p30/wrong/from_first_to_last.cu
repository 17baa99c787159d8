// ENTRY: kernel
// CLASS: scaling
// CAUSE: All from the first tensor's beginning to the last one's end is cut into chunks: the gaps between the tensors are updated as well.
// SAYS: between|gap|lies|padding|outside|belong|table
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: table (roughly 3 lines)
  const long end = offsets[tensors - 1] + sizes[tensors - 1];
  for (long at = offsets[0]; at < end; at += kChunk) chunks.push_back({at, std::min(kChunk, end - at)});
// END: table
