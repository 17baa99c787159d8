// ENTRY: kernel
// CLASS: pointer
// CAUSE: It looks at the address of x, not at that of the slice.
// SAYS: misalign|align|multiple of 16
// NEVER: \brace\b
// HELD: no
// FILL ME IN: alignment (answer)
  aligned = reinterpret_cast<std::uintptr_t>(x) % 16 == 0 && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
// END: alignment
