// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loop runs over whole blocks of 256 and reads on into the next row; in the last row it leaves x.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|next row|tail|\b256 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 256(?![.,]?\d)(?! of)|columns
// SAYS: \bx\b
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps|weight (is )?missing
// HELD: yes
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int first = 0; first < columns; first += kThreads) {
    const float value = x_row[first + threadIdx.x];
    sum += value * value;
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: row_statistics
