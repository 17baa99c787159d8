// STYLE: one element for each thread and no loop; the grid has a thread for every element
// FILL ME IN: copy_loop (answer)
  if (first >= n) return;
  out[first] = x[first];
// END: copy_loop
// FILL ME IN: launch (answer)
  const unsigned blocks = static_cast<unsigned>((n - 1) / kThreads + 1);
  copy_kernel<<<dim3(blocks), dim3(kThreads)>>>(x, out, n);
// END: launch
