// ENTRY: kernel
// CLASS: index
// CAUSE: Row `token` of the table is stored at row id of out: a scatter, where a gather was asked for.
// SAYS: \bout\b|\brows?\b|token|\bid\b
// SAYS: index|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|place|scatter|token|never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|race
// NEVER: misaligned|unknown ids? (is|are) not
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  if (id < 0 || id >= vocabulary || token >= vocabulary) return;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[static_cast<long>(id) * pieces + piece] = table[token * pieces + piece];
// END: gather_row
