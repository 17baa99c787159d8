// ENTRY: kernel
// CLASS: control-flow
// CAUSE: An unsigned counter that counts down is never below 0: the loop has no end.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|\bend(s|less)?\b|for ?ever|unsigned|wrap|\b4294967295 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4294967295(?![.,]?\d)(?! of)|not .*(allocation|memory)|no buffer|any buffer|16 GiB|loop
// NEVER: \brace\b|misaligned|host (address|pointer)
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (unsigned c = columns - 1; c >= 0; --c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
