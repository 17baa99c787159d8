// ENTRY: kernel
// CLASS: pointer
// CAUSE: It asks whether n is a multiple of 4 instead of where the slice starts.
// SAYS: misalign|align|multiple of 16
// NEVER: \brace\b
// HELD: no
// FILL ME IN: alignment (answer)
  aligned = (n & 3) == 0;
// END: alignment
