// ENTRY: kernel
// CLASS: index
// CAUSE: An unknown id is moved to the nearest known one instead of giving a row of zeros.
// SAYS: unknown|clamp|zeros?\b|\bids?\b
// SAYS: zero|clamp|first|last|row 0|vocabulary
// NEVER: \brace\b|never (been )?written|misaligned
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const long id = max(0, min(ids[token], vocabulary - 1));
  for (int piece = lane; piece < pieces; piece += kWarp) out[token * pieces + piece] = table[id * pieces + piece];
// END: gather_row
