// STYLE: pointers that walk instead of an index
// FILL ME IN: copy_loop (answer)
  float* to = out + first;
  for (const float* from = x + first; from < x + n; from += threads, to += threads) *to = *from;
// END: copy_loop
