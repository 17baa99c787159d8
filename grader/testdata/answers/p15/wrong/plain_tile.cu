// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The tile is 32 x 32 without padding: the lanes that read a column of it all meet in one bank.
// SAYS: bank
// SAYS: conflict|turns|same bank
// NEVER: not coalesced|\brace\b
// HELD: no
// FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile];
// END: tile
