// ENTRY: kernel
// CLASS: pointer
// CAUSE: float4 is used for every width; rows of a width that is no multiple of 4 do not start on 16 bytes.
// SAYS: 16 bytes|misalign|align|multiple of (4|16)|float4|width
// NEVER: uninitiali[sz]ed
// HELD: no
// FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens - 1) / kWarpsPerBlock + 1;
  gather_kernel<<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out),
                                      tokens, vocabulary, (width + 3) / 4);
// END: launch
