// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Rows are added to out by atomics, and nobody has put zeros there first.
// SAYS: \bout\b
// SAYS: before|never (been )?written|uninitiali|nobody|not written
// NEVER: \brace\b|unknown ids
// HELD: yes
// FILL ME IN: pool_bag (roughly 3 lines)
  const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
  const int parts = sizeof(Piece) / sizeof(float), width = pieces * parts;
  const float factor = mean && end > first ? 1.0f / (end - first) : 1.0f;
  for (int i = first; i < end; ++i)
    if (ids[i] >= 0 && ids[i] < vocabulary)
      for (int c = lane; c < width; c += kWarp)
        atomicAdd(reinterpret_cast<float*>(out) + bag * width + c,
                  factor * reinterpret_cast<const float*>(table)[static_cast<long>(ids[i]) * width + c]);
// END: pool_bag
