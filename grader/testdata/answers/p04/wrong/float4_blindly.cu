// ENTRY: fused
// CLASS: pointer
// CAUSE: float4 loads although a row starts on a multiple of 16 bytes only when N is a multiple of 4.
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|tail|misalign|align|multiple of (4|16)|float4
// NEVER: \brace\b|host (address|pointer)
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  for (int c = first % kThreads * 4 + blockIdx.x % tiles * kTile; c + 3 < columns; c += kTile * tiles) {
    const float4 a = *reinterpret_cast<const float4*>(x + row + c);
    const float4 b = *reinterpret_cast<const float4*>(bias + c);
    *reinterpret_cast<float4*>(out + row + c) =
        make_float4(gelu(a.x + b.x), gelu(a.y + b.y), gelu(a.z + b.z), gelu(a.w + b.w));
  }
// END: fused
