// STYLE: __expf throughout, and the logarithm of the sum taken off in the exponent
// FILL ME IN: merge (roughly 2 lines)
  both.largest = fmaxf(a.largest, b.largest);
  both.sum = a.sum * __expf(a.largest - both.largest) + b.sum * __expf(b.largest - both.largest);
// END: merge
// FILL ME IN: one_pass (roughly 12 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) row = merged(row, {x_row[column], 1.0f});
// END: one_pass
// FILL ME IN: write_row (roughly 3 lines)
  const float inverse = __frcp_rn(row.sum);
  for (int column = threadIdx.x; column < columns; column += kThreads) out_row[column] = __expf(x_row[column] - row.largest) * inverse;
// END: write_row
