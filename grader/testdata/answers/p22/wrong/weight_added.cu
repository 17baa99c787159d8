// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The weight is added where it should multiply.
// SAYS: weight
// SAYS: added|\+|plus|sum
// NEVER: \brace\b|without (the )?weight|weight (is )?missing
// HELD: no
// FILL ME IN: scale_row (roughly 4 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms + weight[column];
// END: scale_row
