// ENTRY: kernel
// CLASS: tail
// CAUSE: There is no loop: the 32 lanes copy the first 32 pieces of a row and nobody the rest.
// SAYS: \b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|loop|pieces?|columns?|lanes?
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|loop|only the first
// NEVER: \brace\b|misaligned|cudaMemset
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  if (lane < pieces) out[token * pieces + lane] = known ? table[static_cast<long>(id) * pieces + lane] : Piece{};
// END: gather_row
