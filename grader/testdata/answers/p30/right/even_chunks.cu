// STYLE: a tensor is cut evenly, into multiples of four parameters, instead of into whole chunks and a rest
// FILL ME IN: table (roughly 8 lines)
  for (int t = 0; t < tensors; ++t) {
    const long parts = (sizes[t] + kChunk - 1) / kChunk;
    if (parts == 0) continue;
    const long each = ((sizes[t] + parts - 1) / parts + 3) / 4 * 4;
    for (long at = 0; at < sizes[t]; at += each) chunks.push_back({offsets[t] + at, std::min(each, sizes[t] - at)});
  }
// END: table
