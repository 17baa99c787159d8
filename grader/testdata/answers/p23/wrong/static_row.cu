// ENTRY: shared
// CLASS: out-of-bounds
// CAUSE: The launch always asks for 16 KiB of shared memory: rows above 4096 floats do not fit.
// SAYS: shared
// SAYS: past|behind|beyond|outside|end|out.of.bounds|16384|16 KiB
// NEVER: \brace\b|eps (is )?missing|weight (is )?missing
// HELD: no
// FILL ME IN: launch_shared (roughly 3 lines)
  shared_kernel<<<rows, 256, 16384>>>(x, weight, out, columns, eps);
// END: launch_shared
