// ENTRY: kernel
// CLASS: index
// CAUSE: The members y and z of each float4 are exchanged when it is put together again.
// SAYS: exchang|swap|other|order|float4|1 and 2
// SAYS: y|z|1 and 2|element
// NEVER: \brace\b|barrier|aligned
// HELD: no
  // FILL ME IN: copy_pieces (roughly 3 lines)
  long done = 0;
  if (aligned) {
    for (long p = first; p < n / 4; p += threads) {
      const float4 v = x_pieces[p];
      out_pieces[p] = make_float4(v.x, v.z, v.y, v.w);
    }
    done = n / 4 * 4;
  }
  for (long i = done + first; i < n; i += threads) out[i] = x[i];
  // END: copy_pieces
  // FILL ME IN: alignment (roughly 2 lines)
  aligned = reinterpret_cast<std::uintptr_t>(slice) % 16 == 0 && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  // END: alignment
