// STYLE: the number of chunks is counted first, and the table filled backwards
// FILL ME IN: table (roughly 10 lines)
  long all = 0;
  for (int t = 0; t < tensors; ++t) all += (sizes[t] + kChunk - 1) / kChunk;
  chunks.resize(all);
  for (int t = tensors - 1; t >= 0; --t) {
    const long own = (sizes[t] + kChunk - 1) / kChunk;
    for (long c = own - 1; c >= 0; --c) {
      Chunk& chunk = chunks[--all];
      chunk.first = offsets[t] + c * kChunk;
      chunk.count = c == own - 1 ? sizes[t] - c * kChunk : kChunk;
    }
  }
// END: table
