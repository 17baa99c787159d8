// ENTRY: kernel
// CLASS: race
// CAUSE: The block's merge is called a second time; its shared words are written again while other warps still read them.
// SAYS: race|barrier|syncthreads
// SAYS: of_warp|shared|line
// NEVER: misaligned
// HELD: no
// FILL ME IN: one_pass (roughly 12 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    row.largest = fmaxf(row.largest, x_row[column]);
  row = merged_over_block(row);
  const float top = row.largest;
  row.sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) row.sum += expf(x_row[column] - top);
// END: one_pass
// FILL ME IN: merge (roughly 2 lines)
  both.largest = a.largest > b.largest ? a.largest : b.largest;
  both.sum = a.sum * expf(a.largest - both.largest) + b.sum * expf(b.largest - both.largest);
// END: merge
