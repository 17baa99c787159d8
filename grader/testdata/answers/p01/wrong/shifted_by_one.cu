// ENTRY: kernel
// CLASS: index
// CAUSE: The copy is stored one place too far on.
// SAYS: one (place|element|column)|shift|element 0|first element|next|previous|before|i ?[-+] ?1|left|right
// NEVER: race
// HELD: no
// FILL ME IN: copy_loop (answer)
  for (long i = first; i + 1 < n; i += threads) out[i + 1] = x[i];
// END: copy_loop
