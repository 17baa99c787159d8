// STYLE: a branch for a new largest value, exp2f of scaled differences, __fdividef
// FILL ME IN: merge (roughly 2 lines)
  if (b.largest > a.largest) {
    both.sum = b.sum + a.sum * exp2f((a.largest - b.largest) * 1.44269504f);
    both.largest = b.largest;
  } else {
    both.sum = a.sum + b.sum * exp2f((b.largest - a.largest) * 1.44269504f);
  }
// END: merge
// FILL ME IN: one_pass (roughly 12 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) {
    const float value = x_row[column];
    if (value > row.largest) {
      row.sum *= exp2f((row.largest - value) * 1.44269504f);
      row.largest = value;
    }
    row.sum += exp2f((value - row.largest) * 1.44269504f);
  }
// END: one_pass
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = __fdividef(exp2f((x_row[column] - row.largest) * 1.44269504f), row.sum);
// END: write_row
