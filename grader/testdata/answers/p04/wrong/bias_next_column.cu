// ENTRY: fused
// CLASS: index
// CAUSE: bias is read one column too far: bias[c + 1].
// SAYS: bias
// SAYS: shift|next|neighbour|one (column|element|too)|off by one|c \+ 1|\b1 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 1(?![.,]?\d)(?! of)|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// NEVER: without (the )?bias
// HELD: yes
// FILL ME IN: fused (roughly 10 lines)
  for (int c = first; c < columns && c < first + kTile; c += kThreads) {
    const float b = bias[c + 1];
    out[row + c] = gelu(x[row + c] + b);
  }
// END: fused
