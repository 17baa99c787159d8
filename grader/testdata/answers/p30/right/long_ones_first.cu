// STYLE: the longest chunks first, so that the last blocks have least to do
// FILL ME IN: table (roughly 6 lines)
  for (int t = 0; t < tensors; ++t)
    for (long begin = 0; begin < sizes[t]; begin += kChunk)
      chunks.push_back({offsets[t] + begin, std::min(kChunk, sizes[t] - begin)});
  std::stable_sort(chunks.begin(), chunks.end(), [](const Chunk& a, const Chunk& b) { return a.count > b.count; });
// END: table
