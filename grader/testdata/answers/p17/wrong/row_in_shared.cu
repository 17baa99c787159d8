// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The kernel keeps the row in dynamic shared memory and the warps' partial results behind it, but the launch asks for the row's bytes alone, so the partials lie beyond the block's shared memory.
// SAYS: dynamic shared
// SAYS: for each warp
// NEVER: \brace\b
// HELD: no
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kBlock = 256, kTeamWarps = kBlock / 32;

__device__ float2 unite(float2 p, float2 q) {
  const float top = fmaxf(p.x, q.x);
  return make_float2(top, p.y * expf(p.x - top) + q.y * expf(q.x - top));
}

__host__ __device__ constexpr int padded(int columns) { return (columns + 1) / 2 * 2; }

// kStaged: the row is read once and waits in shared memory, padded(columns) floats; then come the partials.
template <bool kStaged>
__global__ void __launch_bounds__(kBlock)
    staged_softmax(const float* __restrict__ x, float* __restrict__ out, int columns) {
  extern __shared__ __align__(16) float room[];
  float2* partials = reinterpret_cast<float2*>(room + (kStaged ? padded(columns) : 0));
  const float* source = x + static_cast<size_t>(blockIdx.x) * columns;
  float* target = out + static_cast<size_t>(blockIdx.x) * columns;

  float2 state = make_float2(-FLT_MAX, 0.0f);
#pragma unroll 4
  for (int c = threadIdx.x; c < columns; c += kBlock) {
    const float v = source[c];
    if constexpr (kStaged) room[c] = v;
    const float top = fmaxf(state.x, v);
    state = make_float2(top, state.y * expf(state.x - top) + expf(v - top));
  }
  for (int d = 1; d < 32; d <<= 1)
    state = unite(state, make_float2(__shfl_xor_sync(0xffffffffu, state.x, d),
                                     __shfl_xor_sync(0xffffffffu, state.y, d)));
  if ((threadIdx.x & 31) == 0) partials[threadIdx.x >> 5] = state;
  __syncthreads();
  state = partials[0];
  for (int w = 1; w < kTeamWarps; ++w) state = unite(state, partials[w]);

  const float inverse = 1.0f / state.y;
  for (int c = threadIdx.x; c < columns; c += kBlock) {
    float v;
    if constexpr (kStaged)
      v = room[c];
    else
      v = source[c];
    target[c] = expf(v - state.x) * inverse;
  }
}

void softmax(const float* x, float* out, int rows, int columns) {
  constexpr size_t kScratch = kTeamWarps * sizeof(float2);
  const size_t row_bytes = padded(columns) * sizeof(float);
  if (row_bytes + kScratch <= 48 * 1024)
    staged_softmax<true><<<rows, kBlock, row_bytes>>>(x, out, columns);
  else
    staged_softmax<false><<<rows, kBlock, kScratch>>>(x, out, columns);
}
