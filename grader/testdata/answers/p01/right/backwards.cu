// STYLE: from the end backwards, blocks of 1024
  // FILL ME IN: copy_loop (roughly 1 lines)
  for (long i = n - 1 - first; i >= 0; i -= threads) out[i] = x[i];
  // END: copy_loop
  // FILL ME IN: launch (roughly 1 lines)
  copy_kernel<<<(n + 1023) / 1024, 1024>>>(x, out, n);
  // END: launch
