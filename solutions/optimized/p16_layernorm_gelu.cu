// p16 layernorm_gelu, optimized: fused with the row kept in registers, read once and 16 bytes at a time.
//
// The reference comes back for the row twice; the caches have it, but its requests and its waiting remain.
// Here each thread loads its share of the row before the first use and still has it for the variance and for
// the output. GELU is written as v / (1 + e^-2t) with a fast exponential and a fast division: the same
// function as 0.5 v (1 + tanh t), without the branch of tanhf. Loads are such as L2 is asked to keep
// (load_kept below). What it buys on an H200 (`bench/peers.py p16`), for 16384 x 4096, fused:
//
//   reference 158.1 us    torch.compile 160.7    this 128.4
//
// What it costs: a kernel for each length of share, and a choice among them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAllLanes = 0xffffffffu;

// A load that asks L2 to keep what it brings until the last. Nothing is read from there again, and DRAM moves
// the same bytes, but it moves them faster: a copy of 268 MB takes 125.4 us with this and 127.2 without, on
// an H200. (Why is not documented; stores that ask for it gain nothing.) CUDA C++ has no word for it, PTX
// has.
__device__ float4 load_kept(const float4* from) {
  unsigned long policy;
  float4 v;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.nc.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from), "l"(policy));
  return v;
}
__device__ float load_kept(const float* from) { return *from; }

// The sum of `value` over the block, in every thread. Each call of a kernel brings a `partial` of its own.
template <int kThreads>
__device__ float block_sum(float value, float* partial) {
  constexpr int kWarps = kThreads / 32;
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % 32;
  if (lane == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__device__ float gelu(float v) {
  const float t = 0.7978845608f * (v + 0.044715f * v * v * v);
  return __fdividef(v, 1.0f + __expf(-2.0f * t));  // 0 where the exponential is infinite
}

__device__ float total(float v) { return v; }
__device__ float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float squares(float v, float mean) { return (v - mean) * (v - mean); }
__device__ float squares(float4 v, float mean) {
  return squares(v.x, mean) + squares(v.y, mean) + (squares(v.z, mean) + squares(v.w, mean));
}
__device__ float normalize(float v, float mean, float rstd, float g, float b) {
  return (v - mean) * rstd * g + b;
}
__device__ float4 normalize(float4 v, float mean, float rstd, float4 g, float4 b) {
  return {normalize(v.x, mean, rstd, g.x, b.x), normalize(v.y, mean, rstd, g.y, b.y),
          normalize(v.z, mean, rstd, g.z, b.z), normalize(v.w, mean, rstd, g.w, b.w)};
}
__device__ float4 gelu(float4 v) { return {gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w)}; }

// Block r works on row r, of `pieces` pieces: floats, or float4s. Each thread keeps kShare of them; what a
// row has beyond kThreads * kShare is read again each time.
template <bool kGelu, typename Piece, int kThreads, int kShare>
__device__ void row(const Piece* __restrict__ x, const Piece* __restrict__ gamma,
                    const Piece* __restrict__ beta, Piece* __restrict__ out, int pieces, int columns,
                    float eps) {
  __shared__ float partial[2][kThreads / 32];
  const Piece* x_row = x + static_cast<size_t>(blockIdx.x) * pieces;
  Piece* out_row = out + static_cast<size_t>(blockIdx.x) * pieces;
  Piece kept[kShare];
  const int beyond = kThreads * kShare + threadIdx.x;
  float sum = 0.0f, around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = threadIdx.x + i * kThreads;
    kept[i] = piece < pieces ? load_kept(x_row + piece) : Piece{};
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
  for (int piece = beyond; piece < pieces; piece += kThreads) sum += total(x_row[piece]);
  const float mean = block_sum<kThreads>(sum, partial[0]) / columns;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (static_cast<int>(threadIdx.x) + i * kThreads < pieces) around += squares(kept[i], mean);
  for (int piece = beyond; piece < pieces; piece += kThreads) around += squares(x_row[piece], mean);
  const float rstd = rsqrtf(block_sum<kThreads>(around, partial[1]) / columns + eps);
  const auto finish = [&](Piece v, int piece) {
    const Piece normalized = normalize(v, mean, rstd, gamma[piece], beta[piece]);
    if constexpr (kGelu)
      out_row[piece] = gelu(normalized);
    else
      out_row[piece] = normalized;
  };
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = threadIdx.x + i * kThreads;
    if (piece < pieces) finish(kept[i], piece);
  }
  for (int piece = beyond; piece < pieces; piece += kThreads) finish(x_row[piece], piece);
}

template <typename Piece, int kThreads, int kShare>
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const Piece* __restrict__ x, const Piece* __restrict__ gamma,
                     const Piece* __restrict__ beta, Piece* __restrict__ normalized, int pieces, int columns,
                     float eps) {
  // FILL ME IN: layernorm (roughly 1 line)
  row<false, Piece, kThreads, kShare>(x, gamma, beta, normalized, pieces, columns, eps);
  // END: layernorm
}

__global__ void gelu_kernel(const float* __restrict__ normalized, float* __restrict__ out, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 1 line)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[first + c] = gelu(normalized[first + c]);
  // END: apply_gelu
}

template <typename Piece, int kThreads, int kShare>
__global__ void __launch_bounds__(kThreads)
    layernorm_gelu_kernel(const Piece* __restrict__ x, const Piece* __restrict__ gamma,
                          const Piece* __restrict__ beta, Piece* __restrict__ out, int pieces, int columns,
                          float eps) {
  // FILL ME IN: fused (roughly 1 line)
  row<true, Piece, kThreads, kShare>(x, gamma, beta, out, pieces, columns, eps);
  // END: fused
}

template <bool kGelu, typename Piece, int kThreads, int kShare>
void launch(const Piece* x, const Piece* gamma, const Piece* beta, Piece* out, int rows, int pieces,
            int columns, float eps) {
  if constexpr (kGelu)
    layernorm_gelu_kernel<Piece, kThreads, kShare>
        <<<rows, kThreads>>>(x, gamma, beta, out, pieces, columns, eps);
  else
    layernorm_kernel<Piece, kThreads, kShare><<<rows, kThreads>>>(x, gamma, beta, out, pieces, columns, eps);
}

// The smallest share that holds a row, with the fewest threads.
template <bool kGelu, typename Piece>
void choose(const Piece* x, const Piece* gamma, const Piece* beta, Piece* out, int rows, int pieces,
            int columns, float eps) {
  if (pieces <= 256)
    launch<kGelu, Piece, 128, 2>(x, gamma, beta, out, rows, pieces, columns, eps);
  else if (pieces <= 1024)
    launch<kGelu, Piece, 256, 4>(x, gamma, beta, out, rows, pieces, columns, eps);
  else
    launch<kGelu, Piece, 512, 4>(x, gamma, beta, out, rows, pieces, columns, eps);
}

template <bool kGelu>
void any(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
         float eps) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(gamma) |
                     reinterpret_cast<std::uintptr_t>(beta) | reinterpret_cast<std::uintptr_t>(out);
  if (columns % 4 == 0 && bases % sizeof(float4) == 0)
    choose<kGelu>(reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(gamma),
                  reinterpret_cast<const float4*>(beta), reinterpret_cast<float4*>(out), rows, columns / 4,
                  columns, eps);
  else
    choose<kGelu>(x, gamma, beta, out, rows, columns, columns, eps);
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                            int columns, float eps) {
  float* normalized;  // [M,N]
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  any<false>(x, gamma, beta, normalized, rows, columns, eps);
  gelu_kernel<<<rows, 256>>>(normalized, out, columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                          int columns, float eps) {
  any<true>(x, gamma, beta, out, rows, columns, eps);
}
