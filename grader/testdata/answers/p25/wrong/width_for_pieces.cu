// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The width in floats is passed where float4s are counted.
// SAYS: pieces|width
// SAYS: quarter|4 times
// NEVER: \brace\b|barrier|grid may have
// HELD: no
  // FILL ME IN: launch (roughly 6 lines)
  const int blocks = (tokens + kWarpsPerBlock - 1) / kWarpsPerBlock;
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if (width % 4 == 0 && bases % 16 == 0)
    gather_kernel<float4><<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), tokens, vocabulary, width);
  else
    gather_kernel<float><<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  // END: launch
