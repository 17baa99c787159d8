// ENTRY: kernel
// CLASS: index
// CAUSE: The product id * pieces is judged, in 32 bits, where it may already have wrapped round: large ids find a wrong row instead of zeros.
// SAYS: \bids?\b|overflow|32 bits|wrap|product
// SAYS: overflow|wrap|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|unknown|zero|2\^|\brows?\b|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// NEVER: \brace\b|misaligned
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int start = static_cast<int>(static_cast<unsigned>(ids[token]) * static_cast<unsigned>(pieces));
  const bool known = start >= 0 && start < static_cast<long>(vocabulary) * pieces;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[start + piece] : Piece{};
// END: gather_row
