// ENTRY: kernel
// CLASS: missing-term
// CAUSE: x is scaled by 1 + weight, as some models store it; the puzzle's weight is the factor itself.
// SAYS: weight|\bx\b
// SAYS: 1 ?\+|plus|\bone\b|too (large|much)|difference|scale_row|x ?\*|multiple
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|without (the )?weight|weight (is )?missing
// HELD: no
// FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * (1.0f + weight[column]);
// END: scale_row
