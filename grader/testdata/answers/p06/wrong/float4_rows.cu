// ENTRY: kernel
// CLASS: pointer
// CAUSE: Rows are read as float4 whatever their length: their starts are no multiples of 16 bytes, and the last piece reaches past the row.
// SAYS: 16|align|float4|out.of.bounds|past
// SAYS: x\b|row|bytes
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: coarsen (roughly 5 lines)
  const float4* pieces = reinterpret_cast<const float4*>(x_row);
  for (int piece = thread; piece < (columns + 3) / 4; piece += kThreads) {
    const float4 v = pieces[piece];
    sum += v.x + v.y + v.z + v.w;
  }
// END: coarsen
