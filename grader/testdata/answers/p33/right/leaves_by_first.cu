// STYLE: threads leave by their first row and column: groups of eight begin at multiples of eight
  // FILL ME IN: skip (roughly 1 lines)
  if (first_j > first_i || first_i >= positions) return;
  // END: skip
