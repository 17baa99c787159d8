// STYLE: floats for every width, blocks of four warps
// FILL ME IN: launch (roughly 2 lines)
  bag_kernel<float><<<(bags + kWarpsPerBlock - 1) / kWarpsPerBlock, kThreads>>>(ids, offsets, table, out, bags, count,
                                                                               vocabulary, width, mean == 1);
// END: launch
