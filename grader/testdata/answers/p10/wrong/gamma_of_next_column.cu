// ENTRY: kernel
// CLASS: index
// CAUSE: gamma is taken from the column to the right.
// SAYS: gamma
// SAYS: column|next|right|\+ ?1|shift|index|neighbour
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps
// HELD: yes
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[(c + 1) % columns] + beta[c]);
// END: normalize
