// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A launch for every 1024 elements instead of one for all of them.
// SAYS: launch|kernels
// NEVER: coalesc
// NEVER: wrong (answer|value)
// HELD: yes
// FILL ME IN: launch (answer)
  for (long start = 0; start < n; start += 1024) {
    const long rest = n - start;
    copy_kernel<<<1, kThreads>>>(x + start, out + start, rest < 1024 ? rest : 1024);
  }
// END: launch
