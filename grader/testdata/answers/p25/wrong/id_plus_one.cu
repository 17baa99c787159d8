// ENTRY: kernel
// CLASS: index
// CAUSE: The row after the id's is taken: table[id + 1].
// SAYS: table|\brows?\b|\bid\b
// SAYS: from 1|counts?|next|\+ ?1\b|one (row|too)|another row|shift|off by one|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// NEVER: \brace\b|misaligned|never (been )?written
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token] + 1;
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
