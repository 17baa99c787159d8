// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Slices are counted as of 128 floats, also where the pieces are floats and a slice is 32 of them: columns are missing.
// SAYS: columns?|slices?
// SAYS: never (been )?written|not written|missing|lost|first
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: launch (roughly 3 lines)
  const unsigned blocks = (tokens - 1) / (kRun * kWarpsPerBlock) + 1, slices = (width - 1) / 128 + 1;
  if (width % 4 == 0)
    sorted_kernel<<<dim3(blocks, slices), kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                                      reinterpret_cast<float4*>(out), tokens, vocabulary, width / 4);
  else
    sorted_kernel<<<dim3(blocks, slices), kThreads>>>(ids, order, table, out, tokens, vocabulary, width);
// END: launch
