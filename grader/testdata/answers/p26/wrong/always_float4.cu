// ENTRY: kernel
// CLASS: pointer
// CAUSE: float4 for every width: where the width is no multiple of 4, columns are lost and rows misplaced.
// SAYS: columns?|float4|launch|width|written|align
// NEVER: \brace\b|unknown ids
// HELD: yes
// FILL ME IN: launch (roughly 3 lines)
  const unsigned blocks = (tokens - 1) / (kRun * kWarpsPerBlock) + 1;
  sorted_kernel<<<dim3(blocks, (width + 127) / 128), kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                                                 reinterpret_cast<float4*>(out), tokens, vocabulary,
                                                                 (width + 3) / 4);
// END: launch
