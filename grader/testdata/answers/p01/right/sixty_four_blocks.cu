// STYLE: 64 blocks of 512 threads that walk pointers to the end
  // FILL ME IN: copy_loop (roughly 1 line)
  const float* from = x + first;
  float* to = out + first;
  while (from < x + n) {
    *to = *from;
    from += threads;
    to += threads;
  }
  // END: copy_loop
  // FILL ME IN: launch (roughly 3 lines)
  int blocks = 64;
  if (n < 64L * 512) blocks = int((n + 511) / 512);
  copy_kernel<<<blocks, 512>>>(x, out, n);
  // END: launch
