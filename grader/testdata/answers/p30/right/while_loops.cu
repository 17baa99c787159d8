// STYLE: the table by while loops and a cut that is taken from the tensor's end
// FILL ME IN: table (roughly 9 lines)
  int t = 0;
  while (t != tensors) {
    long at = offsets[t];
    const long end = at + sizes[t];
    while (at != end) {
      Chunk chunk;
      chunk.first = at;
      chunk.count = end - at > kChunk ? kChunk : end - at;
      chunks.push_back(chunk);
      at += chunk.count;
    }
    ++t;
  }
// END: table
