// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The row of an unknown id is skipped: its zeros are never written.
// SAYS: \bout\b|\brows?\b|unknown|zeros?|\bids?\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|skip
// NEVER: clamp|\brace\b|grid (is )?too|misaligned|no loop
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  if (id < 0 || id >= vocabulary) return;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = table[static_cast<long>(id) * pieces + piece];
// END: gather_row
