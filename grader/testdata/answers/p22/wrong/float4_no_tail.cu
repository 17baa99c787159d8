// ENTRY: kernel
// CLASS: tail
// CAUSE: The row is taken in float4 pieces, N / 4 of them: the last one to three columns are never written, and rows that are no multiple of 16 bytes are misaligned.
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|misalign|align|multiple of (4|16)|float4|tail|last
// NEVER: whole blocks of 256|eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|weight (is )?missing
// HELD: no
// FILL ME IN: scale_row (roughly 3 lines)
  const float4* from = reinterpret_cast<const float4*>(x_row);
  const float4* scale = reinterpret_cast<const float4*>(weight);
  float4* to = reinterpret_cast<float4*>(out_row);
  for (int piece = threadIdx.x; piece < columns / 4; piece += kThreads) {
    const float4 v = from[piece], w = scale[piece];
    to[piece] = make_float4(v.x * inverse_rms * w.x, v.y * inverse_rms * w.y, v.z * inverse_rms * w.z,
                            v.w * inverse_rms * w.w);
  }
// END: scale_row
