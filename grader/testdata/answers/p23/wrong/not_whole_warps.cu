// ENTRY: registers
// CLASS: mask
// CAUSE: The block is not made of whole warps: the sum's shuffles name lanes that do not exist.
// SAYS: lanes?|warps?|mask|threads?
// SAYS: shuffle|shfl|mask|exist|whole|launch
// NEVER: eps (is )?missing|weight (is )?missing
// HELD: no
// FILL ME IN: launch_registers (roughly 3 lines)
  const int share = columns <= 8192 ? 8 : 32;
  const int threads = (columns + share - 1) / share;
  if (share == 8)
    registers_kernel<8><<<rows, threads>>>(x, weight, out, columns, eps);
  else
    registers_kernel<32><<<rows, threads>>>(x, weight, out, columns, eps);
// END: launch_registers
