// ENTRY: kernel
// CLASS: pointer
// CAUSE: Every slice is copied in pieces of 16 bytes, wherever it starts.
// SAYS: misalign|align|multiple of 16
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: alignment (answer)
  aligned = true;
// END: alignment
