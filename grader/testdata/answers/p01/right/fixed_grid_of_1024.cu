// STYLE: a grid that does not depend on n, blocks of 1024 threads, a while loop
// FILL ME IN: copy_loop (answer)
  long i = first;
  while (i < n) {
    const float value = x[i];
    out[i] = value;
    i += threads;
  }
// END: copy_loop
// FILL ME IN: launch (answer)
  copy_kernel<<<66, 1024>>>(x, out, n);
// END: launch
