// ENTRY: kernel
// CLASS: precision
// CAUSE: The results are cut to 11 bits of mantissa, as many as fp16 has.
// SAYS: fp16|half|16|precision|digits|rounded|bits|2\^-1
// NEVER: \brace\b
// NEVER: missing|left out
// HELD: no
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = __uint_as_float(__float_as_uint(expf(x_row[column] - row.largest) / row.sum) & 0xfffff000u);
// END: write_row
