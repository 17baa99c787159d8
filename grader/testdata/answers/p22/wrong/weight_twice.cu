// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The weight is multiplied in twice.
// SAYS: weight
// SAYS: twice|two times|\bagain\b|squared|\^2|once more|second|times .?weight
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|weight (is )?missing|without (the )?weight
// HELD: no
// FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) {
    float value = x_row[column] * weight[column];
    value *= inverse_rms;
    out_row[column] = value * weight[column];
  }
// END: scale_row
