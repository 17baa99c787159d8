// ENTRY: registers
// CLASS: launch-shape
// CAUSE: 8 floats for each of 256 threads: columns from 2048 on are never read and never written.
// SAYS: columns?|written|launch|threads
// SAYS: 2048|never (been )?written|not written|launch_registers|share|threads
// NEVER: \brace\b|eps (is )?missing|weight (is )?missing
// HELD: no
// FILL ME IN: launch_registers (roughly 3 lines)
  registers_kernel<8><<<rows, 256>>>(x, weight, out, columns, eps);
// END: launch_registers
