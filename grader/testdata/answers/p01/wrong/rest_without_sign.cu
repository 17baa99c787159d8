// ENTRY: kernel
// CLASS: tail
// CAUSE: What is left from a thread's first element on is kept in a size_t, and is huge where the first element lies behind the array.
// SAYS: 0 in place of|huge|unsigned|below 0|less
// NEVER: barrier
// HELD: no
// p01: copy an array, with one kernel and one launch.
//
//   out[i] = x[i]      for every i from 0 to n - 1; x and out are in the GPU's memory
//
// Fill in the two blanks (write between the lines FILL ME IN and END), then run:  grader p01
//
//   copy_loop  what one thread does: it copies some of the elements, and all threads together copy each
//              element once. Threads that are neighbours should be copying neighbours at the same time.
//   launch     how many blocks of kThreads threads there are, and the launch itself
//
// n may be 1, or 33, or many millions, and there may be fewer threads than elements: a thread then goes on to
// its next element. Nobody may touch x[n] or out[n], which are not there.
//
//   grader lesson p01     explains every word that the grader uses         grader hint p01
//
// All of this file is yours to change; only the last function keeps its name and its parameters.
#include <cuda_runtime.h>

[[maybe_unused]] constexpr int kThreads = 256;  // of a block: 8 warps of 32

// x, out: [n]. Any number of blocks of any size does it.
__global__ void copy_kernel(const float* __restrict__ x, float* __restrict__ out, long n) {
  // Which of all the grid's threads this one is, and how many there are. 64 bits: an array may have more than
  // 2^31 elements.
  [[maybe_unused]] const long first = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  [[maybe_unused]] const long threads = static_cast<long>(gridDim.x) * blockDim.x;
  // FILL ME IN: copy_loop (roughly 1 line)
  // How many elements there are from my first one to the end of the array; I take every threads-th of them.
  const size_t remaining = n - first;
  const float* src = x + first;
  float* dst = out + first;
  for (size_t step = 0; step < remaining; step += threads) {
    dst[step] = src[step];
  }
  // END: copy_loop
}

// x, out: [n], in the GPU's memory. n = 0: nothing to do.
void copy(const float* x, float* out, long n) {
  if (n == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 3 lines)
  long blocks = (n + kThreads - 1) / kThreads;
  if (blocks > 4096) blocks = 4096;  // the loop does the rest
  copy_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(x, out, n);
  // END: launch
}
