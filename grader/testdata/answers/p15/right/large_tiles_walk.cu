// STYLE: tiles of 64, one-dimensional blocks of 512 that walk over them, turned while the tile is filled
#include <cuda_runtime.h>

constexpr unsigned kSide = 64, kThreads = 512;

__global__ void turn(const float* from, float* to, unsigned m, unsigned n) {
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float held[kSide][kSide + 1];
  // END: tile
  const unsigned across = (n + kSide - 1) / kSide, down = (m + kSide - 1) / kSide;
  for (unsigned t = blockIdx.x; t < across * down; t += gridDim.x) {
    const unsigned r0 = t / across * kSide, c0 = t % across * kSide;
    // FILL ME IN: read_rows (roughly 7 lines)
    for (unsigned i = threadIdx.x; i < kSide * kSide; i += kThreads) {
      const unsigned r = i / kSide, c = i % kSide;
      if (r0 + r < m && c0 + c < n) held[c][r] = __ldcs(from + size_t(r0 + r) * n + c0 + c);
    }
    __syncthreads();
    // END: read_rows
    // FILL ME IN: write_rows (roughly 6 lines)
    for (unsigned i = threadIdx.x; i < kSide * kSide; i += kThreads) {
      const unsigned c = i / kSide, r = i % kSide;
      if (r0 + r < m && c0 + c < n) __stcs(to + size_t(c0 + c) * m + r0 + r, held[c][r]);
    }
    __syncthreads();
    // END: write_rows
  }
}

void transpose(const float* in, float* out, int rows, int columns) { turn<<<9, kThreads>>>(in, out, rows, columns); }
