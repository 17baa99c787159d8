// p25 embedding_gather, optimized: the same answer with every lane at work, whatever the rows are.
//
// The reference gives each row a warp, which is easy to follow and fast for rows that fill the warp: 32
// pieces of 16 bytes. A row of 128 bytes has 8 pieces, and 24 lanes of its warp have nothing to do. Here the
// output is one long run of pieces, and a thread takes pieces of it wherever they fall; which row a piece
// belongs to is a division. Ids and rows come by loads that L2 is asked to keep (load_kept below). What it
// buys on an H200 (`bench/peers.py p25`), in us:
//
//   rows of        3072 B   512 B   128 B
//   reference        40.7    43.1    96.5
//   this             39.5    39.9    41.2
//
// What it costs: the division, an id that is read by every lane that needs it, and a kernel in which no line
// says "row". Its ids are read again for every 32 pieces of a wide row, from L1.

#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 96;
constexpr int kPerThread = 2;  // More of them in flight no longer help: the memory is busy.

// A load that asks L2 to keep what it brings until the last. Nothing is read from there again, and DRAM moves
// the same bytes, but it moves them faster: a copy of 268 MB takes 125.4 us with this and 127.2 without, on
// an H200. (Why is not documented; stores that ask for it gain nothing.) CUDA C++ has no word for it, PTX
// has.
__device__ float4 load_kept(const float4* from) {
  unsigned long policy;
  float4 v;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.nc.L1::evict_last.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from), "l"(policy));
  return v;
}
__device__ float load_kept(const float* from) { return *from; }
__device__ int load_kept(const int* from) {
  unsigned long policy;
  int v;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.nc.L1::evict_last.L2::cache_hint.s32 %0, [%1], %2;"
               : "=r"(v)
               : "l"(from), "l"(policy));
  return v;
}

// ids: [tokens]; table: [vocabulary, pieces]; out: [tokens, pieces]. A Piece is a float or a float4. `count`
// is tokens * pieces, and Index can hold it: a division of 32 bits is several times cheaper than one of 64.
template <typename Piece, typename Index>
__global__ void __launch_bounds__(kThreads)
    gather_kernel(const int* __restrict__ ids, const Piece* __restrict__ table, Piece* __restrict__ out,
                  Index count, int vocabulary, int pieces) {
  // FILL ME IN: gather_row (roughly 20 lines)
  const long first = static_cast<long>(blockIdx.x) * (kThreads * kPerThread) + threadIdx.x;
  long source[kPerThread];  // where in the table; -1: nowhere
  // All ids, then all rows, then all stores: each of the three waits for memory once.
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const long at = first + i * kThreads;
    source[i] = -1;
    if (at < static_cast<long>(count)) {
      const Index token = static_cast<Index>(at) / static_cast<Index>(pieces);
      const int id = load_kept(ids + token);
      if (static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary))
        source[i] = static_cast<long>(id) * pieces + (at - static_cast<long>(token) * pieces);
    }
  }
  Piece value[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) value[i] = source[i] >= 0 ? load_kept(table + source[i]) : Piece{};
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const long at = first + i * kThreads;
    if (at < static_cast<long>(count)) out[at] = value[i];
  }
  // END: gather_row
}

template <typename Piece>
void gather(const int* ids, const Piece* table, Piece* out, int tokens, int vocabulary, int pieces) {
  const long count = static_cast<long>(tokens) * pieces;
  const unsigned blocks = (count - 1) / (kThreads * kPerThread) + 1;
  if (count < (1L << 32))
    gather_kernel<Piece, unsigned><<<blocks, kThreads>>>(ids, table, out, count, vocabulary, pieces);
  else
    gather_kernel<Piece, unsigned long><<<blocks, kThreads>>>(ids, table, out, count, vocabulary, pieces);
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 6 lines)
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if (width % 4 == 0 && bases % sizeof(float4) == 0)
    gather(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out), tokens, vocabulary,
           width / 4);
  else
    gather(ids, table, out, tokens, vocabulary, width);
  // END: launch
}
