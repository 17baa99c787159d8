// STYLE: pieces of one float whatever the width
// FILL ME IN: launch (roughly 9 lines)
  gather_kernel<float><<<(tokens + kWarpsPerBlock - 1) / kWarpsPerBlock, kThreads>>>(ids, table, out, tokens, vocabulary, width);
// END: launch
