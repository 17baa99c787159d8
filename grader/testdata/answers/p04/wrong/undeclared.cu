// ENTRY: fused
// CLASS: compile
// CAUSE: `cols` is not declared: the parameter is called `columns`.
// SAYS: cols
// SAYS: undefined|undeclared|not declared|identifier|compile
// NEVER: never (been )?written|not written
// HELD: yes
// FILL ME IN: fused (roughly 10 lines)
  for (int c = first; c < cols; c += kThreads) out[row + c] = gelu(x[row + c] + bias[c]);
// END: fused
