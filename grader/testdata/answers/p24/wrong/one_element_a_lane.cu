// ENTRY: fused
// CLASS: over-budget
// CAUSE: Each lane loads and stores single elements of 2 bytes, side by side: eight times the requests.
// SAYS: request|2 bytes|element|access
// FILL ME IN: add_normalize (roughly 20 lines)
  float mine[kShare * kEight];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare * kEight; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    mine[i] = 0.0f;
    if (column < columns) {
      const float both = __bfloat162float(x[row + column]) + __bfloat162float(residual[row + column]);
      const __nv_bfloat16 rounded = __float2bfloat16_rn(both);
      sum[row + column] = rounded;
      mine[i] = __bfloat162float(rounded);
    }
    squares += mine[i] * mine[i];
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare * kEight; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    if (column < columns)
      out[row + column] = __float2bfloat16_rn(mine[i] * inverse_rms * __bfloat162float(weight[column]));
  }
// END: add_normalize
