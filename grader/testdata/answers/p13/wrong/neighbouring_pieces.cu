// ENTRY: kernel
// CLASS: index
// CAUSE: load_row gives each thread neighbouring pieces; the rest of the kernel takes them a group apart.
// SAYS: load_row|column|piece|order|\bout\b|place|position|permut
// SAYS: load_row|column|piece|order|place|apart|neighbour|position|permut|index|element
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread * kShare + i;
    kept[i] = piece < pieces ? x_row[piece] : Piece{};
  }
// END: load_row
