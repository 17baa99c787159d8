// STYLE: a tile without padding, swizzled, with one dimension of threads and of blocks
// p15: transpose a matrix through a tile in shared memory, without padding: value (r, c) of a tile lies in
// row r, but in place c ^ r of it. Lanes that run along a row have 32 different c ^ r, and so have lanes that
// run down a column. One dimension of threads, one of blocks.
#include <cuda_runtime.h>

namespace {

constexpr unsigned kSide = 32;
constexpr unsigned kWarps = 8;

struct Matrix {
  int rows, columns;
  __device__ bool has(int r, int c) const { return r < rows && c < columns; }
  __device__ size_t at(int r, int c) const { return static_cast<size_t>(r) * columns + c; }
};

__global__ void __launch_bounds__(kSide* kWarps)
    turn(const float* __restrict__ in, float* __restrict__ out, Matrix from, int across) {
  __shared__ float tile[kSide * kSide];
  const Matrix to{from.columns, from.rows};
  const unsigned lane = threadIdx.x & (kSide - 1), warp = threadIdx.x / kSide;
  const int top = static_cast<int>(blockIdx.x / across) * kSide;
  const int left = static_cast<int>(blockIdx.x % across) * kSide;
  const auto place = [](unsigned r, unsigned c) { return r * kSide + (c ^ r); };

#pragma unroll
  for (unsigned r = warp; r < kSide; r += kWarps)
    if (from.has(top + r, left + lane)) tile[place(r, lane)] = in[from.at(top + r, left + lane)];
  __syncthreads();
#pragma unroll
  for (unsigned c = warp; c < kSide; c += kWarps)
    if (to.has(left + c, top + lane)) out[to.at(left + c, top + lane)] = tile[place(lane, c)];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const auto tiles = [](int extent) { return static_cast<unsigned>((extent - 1) / static_cast<int>(kSide)) + 1; };
  if (rows <= 0 || columns <= 0) return;
  turn<<<tiles(rows) * tiles(columns), kSide * kWarps>>>(in, out, Matrix{rows, columns},
                                                         static_cast<int>(tiles(columns)));
}
