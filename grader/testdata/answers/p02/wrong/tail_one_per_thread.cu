// ENTRY: kernel
// CLASS: tail
// CAUSE: In copy_pieces the single floats behind the pieces are copied with an `if`, one for each thread, not with a loop: where the slice is not aligned there are no pieces, all n floats are "tail", and only the first gridDim.x * blockDim.x (about n / 16) of them are copied; the rest of out is never written.
// SAYS: copy_pieces
// SAYS: number of threads
// NEVER: a grid of
// NEVER: \brace\b
// HELD: no
// FILL ME IN: copy_pieces (roughly 3 lines)
  const long whole = aligned ? n / kFloats : 0;
  for (long piece = first; piece < whole; piece += threads) {
    const float4 four = x_pieces[piece];
    out_pieces[piece] = four;
  }
  // what is left behind the last piece
  const long rest = whole * kFloats + first;
  if (rest < n) out[rest] = x[rest];
// END: copy_pieces
// FILL ME IN: alignment (roughly 2 lines)
  const std::uintptr_t both = reinterpret_cast<std::uintptr_t>(slice) | reinterpret_cast<std::uintptr_t>(out);
  aligned = (both & (sizeof(float4) - 1)) == 0;
// END: alignment
