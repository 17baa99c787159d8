// STYLE: float4 where rows are aligned, single floats elsewhere
// FILL ME IN: fused (answer)
  const int start = blockIdx.x % tiles * kTile;
  if (columns % 4 == 0) {
    const int c = start + 4 * threadIdx.x;
    if (c < columns) {
      const float4 a = *reinterpret_cast<const float4*>(x + row + c);
      const float4 b = *reinterpret_cast<const float4*>(bias + c);
      float4 r = *reinterpret_cast<const float4*>(residual + row + c);
      r.x += gelu(a.x + b.x);
      r.y += gelu(a.y + b.y);
      r.z += gelu(a.z + b.z);
      r.w += gelu(a.w + b.w);
      *reinterpret_cast<float4*>(out + row + c) = r;
    }
  } else {
    for (int c = start + threadIdx.x; c < columns && c < start + kTile; c += kThreads)
      out[row + c] = gelu(x[row + c] + bias[c]) + residual[row + c];
  }
// END: fused
