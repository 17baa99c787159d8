// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A thread does one of its four columns.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched
// NEVER: \brace\b
// NEVER: coalesc
// HELD: yes
// FILL ME IN: fused (answer)
  if (first < columns) out[row + first] = residual[row + first] + gelu(x[row + first] + bias[first]);
// END: fused
