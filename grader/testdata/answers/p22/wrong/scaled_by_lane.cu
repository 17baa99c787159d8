// ENTRY: kernel
// CLASS: index
// CAUSE: The weight is indexed by the lane instead of the column: columns 32 and on get the weights of columns 0 to 31.
// SAYS: weight
// SAYS: lane|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|index|column|threadIdx|shift
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|without (the )?weight|weight (is )?missing
// HELD: yes
// FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * weight[threadIdx.x % kWarp];
// END: scale_row
