// STYLE: the pieces are int4, and the address is judged by its last digit
// FILL ME IN: alignment (answer)
  const unsigned long long a = reinterpret_cast<unsigned long long>(slice);
  const unsigned long long b = reinterpret_cast<unsigned long long>(out);
  aligned = (a % 16 == 0) & (b % 16 == 0);
// END: alignment
// FILL ME IN: copy_pieces (answer)
  const int4* from = reinterpret_cast<const int4*>(x);
  int4* to = reinterpret_cast<int4*>(out);
  long done = 0;
  if (aligned) {
    done = n - n % 4;
    for (long p = first; p < done / 4; p += threads) to[p] = from[p];
  }
  for (long i = done + first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
