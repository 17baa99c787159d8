// ENTRY: kernel
// CLASS: host-only
// CAUSE: The kernel that writes float4 along the rows of `out` (which have `rows` values) is chosen when columns is a multiple of 4; it must be rows, so with rows % 4 != 0 its stores are misaligned and run over the row's end.
// SAYS: host function chooses|turn<false>
// SAYS: out|every answer
// NEVER: allocat|race
// HELD: no
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kEdge = 32;

// 256 threads. A warp reads rows of 32 floats; then 8 neighbouring lanes write the 32 floats of a row of `out`.
template <bool kQuads>
__global__ void __launch_bounds__(256)
    turn(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float patch[kEdge][kEdge + 1];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int r0 = blockIdx.y * kEdge, c0 = blockIdx.x * kEdge;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = warp + 8 * k;
    if (r0 + r < rows && c0 + lane < columns)
      patch[r][lane] = in[static_cast<size_t>(r0 + r) * columns + c0 + lane];
  }
  __syncthreads();
  if constexpr (kQuads) {
    const int c = threadIdx.x >> 3, r = (threadIdx.x & 7) * 4;
    if (c0 + c < columns && r0 + r < rows) {
      const float4 four = make_float4(patch[r][c], patch[r + 1][c], patch[r + 2][c], patch[r + 3][c]);
      *reinterpret_cast<float4*>(out + static_cast<size_t>(c0 + c) * rows + r0 + r) = four;
    }
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int c = warp + 8 * k;
      if (c0 + c < columns && r0 + lane < rows)
        out[static_cast<size_t>(c0 + c) * rows + r0 + lane] = patch[lane][c];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  const dim3 grid((columns + kEdge - 1) / kEdge, (rows + kEdge - 1) / kEdge);
  const bool quads = columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(out) % sizeof(float4) == 0;
  if (quads)
    turn<true><<<grid, 256>>>(in, out, rows, columns);
  else
    turn<false><<<grid, 256>>>(in, out, rows, columns);
}
