// STYLE: eight single floats under way instead of pieces
// FILL ME IN: copy_tile (answer)
  constexpr int kCount = 8;
  const long mine = static_cast<long>(blockIdx.x) * kTile * kFloats + threadIdx.x;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    float v[kCount];
    const long from = mine + round * kCount * kThreads;
#pragma unroll
    for (int k = 0; k < kCount; ++k) v[k] = from + k * kThreads < n / 4 * 4 ? x[from + k * kThreads] : 0.0f;
#pragma unroll
    for (int k = 0; k < kCount; ++k)
      if (from + k * kThreads < n / 4 * 4) out[from + k * kThreads] = v[k];
  }
// END: copy_tile
