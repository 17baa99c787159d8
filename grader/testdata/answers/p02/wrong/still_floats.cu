// ENTRY: kernel
// CLASS: over-budget
// CAUSE: It copies single floats whatever the alignment is.
// SAYS: requests?
// SAYS: 4 bytes|float4|16|four
// NEVER: coalesc
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: alignment (answer)
  aligned = false;
// END: alignment
