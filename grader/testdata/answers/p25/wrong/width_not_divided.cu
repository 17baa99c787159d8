// ENTRY: kernel
// CLASS: scaling
// CAUSE: The float4 kernel is told `width` pieces; it has width / 4: every row is copied four times as far as it goes.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|pieces|width|four times|\b4 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4(?![.,]?\d)(?! of)
// SAYS: table|\bout\b|width|pieces|\brows?\b
// NEVER: misaligned
// HELD: yes
// FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens - 1) / kWarpsPerBlock + 1;
  if (width % 4 == 0) {
    gather_kernel<<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out),
                                        tokens, vocabulary, width);
  } else {
    gather_kernel<<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  }
// END: launch
