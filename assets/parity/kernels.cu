// Small kernels that each stress one rule or one limit of the machine, for comparing the simulator with a GPU. All have
// the same parameters: a and b are read, index holds a permutation of 0 .. n - 1, out is written. n counts elements, m is
// a stride, a width or a repeat count. Sums and products are written as intrinsics where a compiler might contract them, so
// that the outputs can be compared byte for byte.

#include <mma.h>

#define ARGUMENTS const float *a, const float *b, const int *index, float *out, int n, int m
#define I (static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x))

extern "C" __global__ void write_only(ARGUMENTS) {
  if (I < n) out[I] = 1.0f;
}
extern "C" __global__ void copy(ARGUMENTS) {
  if (I < n) out[I] = a[I];
}
extern "C" __global__ void copy_float2(ARGUMENTS) {
  if (I < n / 2) reinterpret_cast<float2*>(out)[I] = reinterpret_cast<const float2*>(a)[I];
}
extern "C" __global__ void copy_float4(ARGUMENTS) {
  if (I < n / 4) reinterpret_cast<float4*>(out)[I] = reinterpret_cast<const float4*>(a)[I];
}
extern "C" __global__ void copy_bytes(ARGUMENTS) {
  if (I < n) reinterpret_cast<char*>(out)[I] = reinterpret_cast<const char*>(a)[I];
}
extern "C" __global__ void copy_halves(ARGUMENTS) {
  if (I < n) reinterpret_cast<short*>(out)[I] = reinterpret_cast<const short*>(a)[I];
}
extern "C" __global__ void copy_grid_stride(ARGUMENTS) {
  for (int i = I; i < n; i += gridDim.x * blockDim.x) out[i] = a[i];
}
extern "C" __global__ void add(ARGUMENTS) {
  if (I < n) out[I] = __fadd_rn(a[I], b[I]);
}
extern "C" __global__ void read_misaligned(ARGUMENTS) {
  if (I < n - 1) out[I] = a[I + 1];
}
extern "C" __global__ void read_strided(ARGUMENTS) {
  if (I < n / m) out[I] = a[I * m];
}
extern "C" __global__ void write_strided(ARGUMENTS) {
  if (I < n / m) out[I * m] = a[I];
}
extern "C" __global__ void gather(ARGUMENTS) {
  if (I < n) out[I] = a[index[I]];
}
extern "C" __global__ void scatter(ARGUMENTS) {
  if (I < n) out[index[I]] = a[I];
}
extern "C" __global__ void small_table(ARGUMENTS) {
  if (I < n) out[I] = __fadd_rn(a[I], b[index[I] & 1023]);
}
extern "C" __global__ void thread_per_row(ARGUMENTS) {
  if (I >= n / m) return;
  float sum = 0;
  for (int c = 0; c < m; ++c) sum = __fadd_rn(sum, a[I * m + c]);
  out[I] = sum;
}
extern "C" __global__ void warp_per_row(ARGUMENTS) {
  const int row = I / 32, lane = threadIdx.x % 32;
  if (row >= n / m) return;
  float sum = 0;
  for (int c = lane; c < m; c += 32) sum = __fadd_rn(sum, a[row * m + c]);
  for (int half = 16; half > 0; half /= 2) sum = __fadd_rn(sum, __shfl_down_sync(~0u, sum, half));
  if (lane == 0) out[row] = sum;
}
extern "C" __global__ void block_per_row(ARGUMENTS) {
  __shared__ float sums[1024];
  float sum = 0;
  for (int c = threadIdx.x; c < m; c += blockDim.x) sum = __fadd_rn(sum, a[blockIdx.x * m + c]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] = __fadd_rn(sums[threadIdx.x], sums[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
extern "C" __global__ void normalise_row(ARGUMENTS) {
  __shared__ float sums[1024];
  const float* row = a + blockIdx.x * m;
  float sum = 0;
  for (int c = threadIdx.x; c < m; c += blockDim.x) sum = __fadd_rn(sum, row[c]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] = __fadd_rn(sums[threadIdx.x], sums[threadIdx.x + half]);
    __syncthreads();
  }
  const float mean = __fdiv_rn(sums[0], static_cast<float>(m));
  for (int c = threadIdx.x; c < m; c += blockDim.x)
    out[blockIdx.x * m + c] = __fmul_rn(__fsub_rn(row[c], mean), b[c]);
}
// m columns, n / m rows; blocks of 32 x blockDim.y.
extern "C" __global__ void transpose(ARGUMENTS) {
  const int column = blockIdx.x * 32 + threadIdx.x, rows = n / m;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[column * rows + blockIdx.y * 32 + y] = a[(blockIdx.y * 32 + y) * m + column];
}
template <int kPadding>
__device__ void transpose_tile(ARGUMENTS) {
  __shared__ float tile[32][32 + kPadding];
  const int rows = n / m;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][threadIdx.x] = a[(blockIdx.y * 32 + y) * m + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[(blockIdx.x * 32 + y) * rows + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}
extern "C" __global__ void transpose_conflicts(ARGUMENTS) { transpose_tile<0>(a, b, index, out, n, m); }
extern "C" __global__ void transpose_padded(ARGUMENTS) { transpose_tile<1>(a, b, index, out, n, m); }
extern "C" __global__ void stencil(ARGUMENTS) {
  if (I >= 1 && I < n - 1) out[I] = __fadd_rn(__fadd_rn(a[I - 1], a[I]), a[I + 1]);
}
// m x m matrices.
extern "C" __global__ void matmul(ARGUMENTS) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum = __fmaf_rn(a[row * m + k], b[k * m + column], sum);
  out[row * m + column] = sum;
}
extern "C" __global__ void matmul_tiled(ARGUMENTS) {
  __shared__ float left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < m; k += 16) {
    left[y][x] = a[row * m + k + x];
    right[y][x] = b[(k + y) * m + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = __fmaf_rn(left[y][i], right[i][x], sum);
    __syncthreads();
  }
  out[row * m + column] = sum;
}
// m fused multiply-adds for each element.
extern "C" __global__ void compute(ARGUMENTS) {
  if (I >= n) return;
  float x = a[I], y = 0.5f, z = 0.25f, w = 0.125f;
  for (int k = 0; k < m; k += 4) {
    x = __fmaf_rn(x, 0.999f, 0.001f);
    y = __fmaf_rn(y, 0.999f, 0.001f);
    z = __fmaf_rn(z, 0.999f, 0.001f);
    w = __fmaf_rn(w, 0.999f, 0.001f);
  }
  out[I] = __fadd_rn(__fadd_rn(x, y), __fadd_rn(z, w));
}
// m special functions for each element; approximate, so not compared byte for byte.
extern "C" __global__ void special(ARGUMENTS) {
  if (I >= n) return;
  float x = a[I], y = 0.5f;
  for (int k = 0; k < m; k += 2) {
    x = __sinf(x);
    y = __cosf(y);
  }
  out[I] = x + y;
}
// One thread's loads, each of which needs the one before it.
extern "C" __global__ void chase(ARGUMENTS) {
  int at = I;
  for (int k = 0; k < m; ++k) at = index[at];
  out[I] = static_cast<float>(at);
}
extern "C" __global__ void count_values(ARGUMENTS) {
  if (I < n) atomicAdd(reinterpret_cast<int*>(out) + (index[I] & (m - 1)), 1);
}

// A warp works out 16 x 16 of the product of two m x m matrices, both by rows. Sums of bytes are exact.
template <class Shape, class Factor, class Sum>
__device__ void wmma_product(const Factor *a, const Factor *b, Sum *out, int m) {
  namespace wmma = nvcuda::wmma;
  const int warp = I / 32, row = warp / (m / 16) * 16, column = warp % (m / 16) * 16;
  typename Shape::Sum sum;
  wmma::fill_fragment(sum, Sum(0));
  for (int k = 0; k < m; k += Shape::k) {
    typename Shape::A left;
    typename Shape::B right;
    wmma::load_matrix_sync(left, a + row * m + k, m);
    wmma::load_matrix_sync(right, b + k * m + column, m);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(out + row * m + column, sum, m, wmma::mem_row_major);
}
template <int kDepth, class Factor, class Result>
struct Fragments {
  static constexpr int k = kDepth;
  using A = nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, k, Factor, nvcuda::wmma::row_major>;
  using B = nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, k, Factor, nvcuda::wmma::row_major>;
  using Sum = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, k, Result>;
};
extern "C" __global__ void wmma_tf32(ARGUMENTS) {
  wmma_product<Fragments<8, nvcuda::wmma::precision::tf32, float>>(a, b, out, m);
}
extern "C" __global__ void wmma_half(ARGUMENTS) {
  wmma_product<Fragments<16, __half, float>>(reinterpret_cast<const __half *>(a), reinterpret_cast<const __half *>(b), out,
                                             m);
}
extern "C" __global__ void wmma_bytes(ARGUMENTS) {
  wmma_product<Fragments<16, unsigned char, int>>(reinterpret_cast<const unsigned char *>(a),
                                                  reinterpret_cast<const unsigned char *>(b),
                                                  reinterpret_cast<int *>(out), m);
}

// A block copies m floats, at most 2048, through shared memory with two bulk copies, which one thread asks for.
extern "C" __global__ void copy_bulk(ARGUMENTS) {
  __shared__ __align__(128) float tile[2048];
  __shared__ unsigned long long barrier;
  if (threadIdx.x != 0) return;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(tile)),
             wait = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const int bytes = m * 4;
  asm volatile(
      "{\n.reg .pred done;\n"
      "mbarrier.init.shared.b64 [%1], 1;\nfence.proxy.async;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%1], %4;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%2], %4, [%1];\n"
      "again:\nmbarrier.try_wait.parity.shared.b64 done, [%1], 0;\n@!done bra again;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%3], [%0], %4;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n}" ::"r"(at),
      "r"(wait), "l"(a + static_cast<size_t>(blockIdx.x) * m), "l"(out + static_cast<size_t>(blockIdx.x) * m), "r"(bytes)
      : "memory");
}
