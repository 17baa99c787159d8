// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The row of an unknown id is filled with bytes of 0xff, which make NaN, instead of zeros.
// SAYS: NaN|unknown|zeros?|\brows?\b|\bids?\b
// SAYS: NaN|zero|unknown|-1\b
// NEVER: leaves? the rows|as they were|clamp|\brace\b|never (been )?written|misaligned|overflows
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  Piece none;
  unsigned char* bytes = reinterpret_cast<unsigned char*>(&none);
  for (int b = 0; b < sizeof(Piece); ++b) bytes[b] = 0xff;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : none;
// END: gather_row
