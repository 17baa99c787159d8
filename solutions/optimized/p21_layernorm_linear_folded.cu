// p21 layernorm_linear_folded, optimized: two launches, and the product on tensor cores, in halves.
//
// Tensor cores multiply halves (11 digits) twice as fast as TF32, and add in float. 11 digits are too coarse
// for this puzzle's tolerance, so each float is split in two halves: large = its first 11 digits, small = the
// next 11. Of the four products of two such pairs three count:
//
//   x w = x_large w_large + x_large w_small + x_small w_large     (x_small w_small is below 2^-22 of x w)
//
// A half ends at 65504, and below 2^-14 it loses digits, so both factors are brought to a size that is known:
// x goes into its tile as kScale (x - mean) rstd, at most kScale sqrt(H), and the folded weights of an output
// are multiplied by the power of two that brings the largest of them to 2^14. The epilogue divides by both.
// Since the mean is taken off before the product, row_sum is not needed, and nothing cancels late.
//
// Four values become 16 bytes, four large halves and four small ones, as many as four floats. In a fragment
// of m16n8k16 a lane has values 2t, 2t + 1, 2t + 8, 2t + 9 of 16: here these are 4t to 4t + 3, for both
// factors, which is another order of the same sum. So a lane's share of a fragment is one load of 16 bytes.
//
// What it buys on an H200 at 2048 x 768 x 768 (grader bench p21), in us:
//
//   reference  106.5
//   this        35.4
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kTileM = 64;  // rows of `out` that a block makes
constexpr int kTileN = 96;  // columns of `out` that a block makes
constexpr int kWarpM = 32;  // rows and columns that a warp makes
constexpr int kWarpN = 48;
constexpr int kDeep = 64;      // values of h in a pair of tiles
constexpr int kStages = 2;     // pairs of tiles
constexpr int kBlocks = 2;     // that an SM should hold
constexpr int kPrepWarps = 8;  // of a block that works on rows, each warp on one

constexpr int kAcross = kTileN / kWarpN;  // warps of a block
constexpr int kThreads = kTileM / kWarpM * kAcross * 32;
constexpr int kPieces = kDeep / 4;            // 16 bytes each, of a row of a tile
constexpr int kRowStep = kThreads / kPieces;  // rows of a tile that all threads fill at once
constexpr int kFillM = kTileM / kRowStep, kFillN = kTileN / kRowStep;
constexpr int kTileRows = kTileM + kTileN;
constexpr int kSharedBytes = kStages * kTileRows * kPieces * 16;
constexpr int kHeld = 8;         // pieces of a row that a lane loads together
constexpr float kScale = 16.0f;  // of x, normalised
constexpr int kLargest = 14;     // the power of two of the largest weight of an output
static_assert(kTileM % kRowStep == 0 && kTileN % kRowStep == 0 && kDeep % 32 == 0);

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

// Values h to h + 3 of a row, `outside` where the row has ended; without a branch, so that the loads of a
// loop wait together. kFours: rows are whole float4, at multiples of 16 bytes.
template <bool kFours>
__device__ float4 four_of(const float* __restrict__ row, int h, int hidden, float outside) {
  const float4 none = {outside, outside, outside, outside};
  if constexpr (kFours) {
    const float4 four = *reinterpret_cast<const float4*>(row + (h < hidden ? h : 0));
    return h < hidden ? four : none;
  }
  const auto one = [&](int at) {
    const float value = row[at < hidden ? at : 0];
    return at < hidden ? value : outside;
  };
  return {one(h), one(h + 1), one(h + 2), one(h + 3)};
}

// Those of a lane, 32 pieces apart.
template <bool kFours>
__device__ void load_held(float4 (&held)[kHeld], const float* __restrict__ row, int piece, int hidden,
                          float outside) {
#pragma unroll
  for (int i = 0; i < kHeld; ++i) held[i] = four_of<kFours>(row, 4 * (piece + 32 * i), hidden, outside);
}

__device__ unsigned bits_of(__half2 halves) { return *reinterpret_cast<unsigned*>(&halves); }

// x and y: the large halves; z and w: the small ones.
__device__ uint4 split(float4 four) {
  const __half2 xy = __floats2half2_rn(four.x, four.y), zw = __floats2half2_rn(four.z, four.w);
  const float2 of_xy = __half22float2(xy), of_zw = __half22float2(zw);
  return {bits_of(xy), bits_of(zw), bits_of(__floats2half2_rn(four.x - of_xy.x, four.y - of_xy.y)),
          bits_of(__floats2half2_rn(four.z - of_zw.x, four.w - of_zw.y))};
}

__device__ float4 product_of(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
__device__ float sum_of(float4 four) { return four.x + four.y + four.z + four.w; }
__device__ float largest_of(float4 four) {
  return fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
}

// A warp: one output. folded_row: `pieces` pieces, zeros where there is no h.
template <bool kFours>
__device__ void fold(const float* __restrict__ weight_row, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float bias, uint4* __restrict__ folded_row,
                     float& unscale, float& shift, int hidden, int pieces) {
  const int lane = threadIdx.x % 32;
  float4 w[kHeld], of_h[kHeld];
  // Must write folded_row, unscale and shift.
  // FILL ME IN: fold (roughly 29 lines)
  float largest = 0.0f, of_beta = 0.0f;
  for (int first = lane; first < pieces; first += 32 * kHeld) {
    load_held<kFours>(w, weight_row, first, hidden, 0.0f);
    load_held<kFours>(of_h, beta, first, hidden, 0.0f);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) of_beta += sum_of(product_of(w[i], of_h[i]));
    load_held<kFours>(of_h, gamma, first, hidden, 0.0f);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) largest = fmaxf(largest, largest_of(product_of(w[i], of_h[i])));
  }
  of_beta = warp_sum(of_beta);
  // The exponent of the largest, and a power of two that is a float for each of them.
  const int power = max((__float_as_int(warp_max(largest)) >> 23) - 127, -86);
  const float scale = __int_as_float((127 + kLargest - power) << 23);
  for (int first = lane; first < pieces; first += 32 * kHeld) {
    load_held<kFours>(w, weight_row, first, hidden, 0.0f);
    load_held<kFours>(of_h, gamma, first, hidden, 0.0f);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const float4 value = product_of(product_of(w[i], of_h[i]), {scale, scale, scale, scale});
      if (first + 32 * i < pieces) folded_row[first + 32 * i] = split(value);
    }
  }
  if (lane == 0) {
    unscale = 1.0f / (scale * kScale);
    shift = of_beta + bias;
  }
  // END: fold
}

// A warp: one row of x.
template <bool kFours>
__device__ void statistics(const float* __restrict__ x_row, float& mean, float& rstd, int hidden, float eps) {
  const int lane = threadIdx.x % 32;
  float4 held[kHeld];
  // Must write mean and rstd.
  // FILL ME IN: statistics (roughly 21 lines)
  float sum = 0.0f, squares = 0.0f;
  for (int first = lane; 4 * first < hidden; first += 32 * kHeld) {
    load_held<kFours>(held, x_row, first, hidden, 0.0f);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) sum += sum_of(held[i]);
  }
  const float m = warp_sum(sum) / hidden;
  for (int first = lane; 4 * first < hidden; first += 32 * kHeld) {
    load_held<kFours>(held, x_row, first, hidden, m);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const float4 apart = {held[i].x - m, held[i].y - m, held[i].z - m, held[i].w - m};
      squares += sum_of(product_of(apart, apart));
    }
  }
  const float variance = warp_sum(squares) / hidden;
  if (lane == 0) {
    mean = m;
    rstd = rsqrtf(variance + eps);
  }
  // END: statistics
}

// What the product waits for, in one launch: a warp for each row of x, and then one for each output.
template <bool kFours>
__global__ void __launch_bounds__(32 * kPrepWarps)
    prepare_kernel(const float* __restrict__ x, const float* __restrict__ weight,
                   const float* __restrict__ gamma, const float* __restrict__ beta,
                   const float* __restrict__ bias, uint4* __restrict__ folded, float* __restrict__ unscale,
                   float* __restrict__ shift, float* __restrict__ mean, float* __restrict__ rstd, int rows,
                   int hidden, int out_dim, int pieces, float eps) {
  const int row = blockIdx.x * kPrepWarps + threadIdx.x / 32, o = row - rows;
  if (row < rows)
    statistics<kFours>(x + static_cast<size_t>(row) * hidden, mean[row], rstd[row], hidden, eps);
  else if (o < out_dim)
    fold<kFours>(weight + static_cast<size_t>(o) * hidden, gamma, beta, bias[o],
                 folded + static_cast<size_t>(o) * pieces, unscale[o], shift[o], hidden, pieces);
}

// Where a piece of a row of a tile lies. Rows of an odd number have their pieces in another order, so that
// two neighbours, four pieces of each, are in all banks.
__device__ int place(int row, int piece) { return row * kPieces + (piece ^ (row % 2 * 4)); }

// sum += a b. a: 16 x 16 halves; b: 16 x 8.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                         unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

constexpr int kHigh = kWarpM / 16, kWide = kWarpN / 8;  // fragments of sums that a warp has

// Adds the products of one pair of tiles, from the warp's first row and first column on.
__device__ void multiply_tiles(float (&sum)[kHigh][kWide][4], const uint4* x_tile, const uint4* w_tile,
                               int down, int across) {
  const int group = threadIdx.x % 32 / 4, in_group = threadIdx.x % 4;
#pragma unroll
  for (int k = 0; k < kPieces; k += 4) {
    uint4 a[kHigh][2], b[kWide];
#pragma unroll
    for (int i = 0; i < 2 * kHigh; ++i) a[i / 2][i % 2] = x_tile[place(down + 8 * i + group, k + in_group)];
#pragma unroll
    for (int j = 0; j < kWide; ++j) b[j] = w_tile[place(across + 8 * j + group, k + in_group)];
      // The small ones first. Each round goes over all sums, so that none waits for its own.
#pragma unroll
    for (int j = 0; j < kWide; ++j)
#pragma unroll
      for (int i = 0; i < kHigh; ++i)
        multiply(sum[i][j], a[i][0].z, a[i][1].z, a[i][0].w, a[i][1].w, b[j].x, b[j].y);
#pragma unroll
    for (int j = 0; j < kWide; ++j)
#pragma unroll
      for (int i = 0; i < kHigh; ++i)
        multiply(sum[i][j], a[i][0].x, a[i][1].x, a[i][0].y, a[i][1].y, b[j].z, b[j].w);
#pragma unroll
    for (int j = 0; j < kWide; ++j)
#pragma unroll
      for (int i = 0; i < kHigh; ++i)
        multiply(sum[i][j], a[i][0].x, a[i][1].x, a[i][0].y, a[i][1].y, b[j].x, b[j].y);
  }
}

// The product of x [M,H], normalised on its way into the tiles, with the transpose of the folded weights.
template <bool kFours>
__global__ void __launch_bounds__(kThreads, kBlocks)
    product_kernel(const float* __restrict__ x, const uint4* __restrict__ folded,
                   const float* __restrict__ unscale, const float* __restrict__ shift,
                   const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ out,
                   int rows, int hidden, int out_dim, int pieces) {
  extern __shared__ uint4 tiles[];  // kStages pairs: kTileM rows of x, kTileN of the weights
  const int first_row = blockIdx.y * kTileM, first_o = blockIdx.x * kTileN;
  const int fill_row = threadIdx.x / kPieces, fill_piece = threadIdx.x % kPieces;
  float means[kFillM], scales[kFillM];
#pragma unroll
  for (int i = 0; i < kFillM; ++i) {
    const int row = min(first_row + fill_row + i * kRowStep, rows - 1);
    means[i] = mean[row];
    scales[i] = rstd[row] * kScale;
  }
  float4 of_x[kFillM];
  const auto fetch_x = [&](int step) {
#pragma unroll
    for (int i = 0; i < kFillM; ++i) {
      const int row = min(first_row + fill_row + i * kRowStep, rows - 1);
      of_x[i] = four_of<kFours>(x + static_cast<size_t>(row) * hidden, step * kDeep + 4 * fill_piece, hidden,
                                means[i]);
    }
  };
  const auto put_x = [&](int stage) {
    uint4* tile = tiles + stage * kTileRows * kPieces;
#pragma unroll
    for (int i = 0; i < kFillM; ++i) {
      const float4 four = {(of_x[i].x - means[i]) * scales[i], (of_x[i].y - means[i]) * scales[i],
                           (of_x[i].z - means[i]) * scales[i], (of_x[i].w - means[i]) * scales[i]};
      tile[place(fill_row + i * kRowStep, fill_piece)] = split(four);
    }
  };
  const auto copy_w = [&](int step, int stage) {
    uint4* tile = tiles + (stage * kTileRows + kTileM) * kPieces;
#pragma unroll
    for (int i = 0; i < kFillN; ++i) {
      const int r = fill_row + i * kRowStep, o = min(first_o + r, out_dim - 1);
      __pipeline_memcpy_async(&tile[place(r, fill_piece)],
                              folded + static_cast<size_t>(o) * pieces + step * kPieces + fill_piece, 16);
    }
  };
  const int steps = pieces / kPieces;
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) {
      copy_w(step, step);
      fetch_x(step);
      put_x(step);
    }
    __pipeline_commit();
  }
  const int warp = threadIdx.x / 32;
  const int down = warp / kAcross * kWarpM, across = warp % kAcross * kWarpN;
  float sum[kHigh][kWide][4] = {};
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // this step's tiles are there, and those of the step before are done with
    const int next = step + kStages - 1;
    if (next < steps) {
      copy_w(next, next % kStages);
      fetch_x(next);
    }
    __pipeline_commit();
    const uint4* x_tile = tiles + step % kStages * kTileRows * kPieces;
    multiply_tiles(sum, x_tile, x_tile + kTileM * kPieces, down, across);
    if (next < steps) put_x(next % kStages);
  }
  // A lane has two neighbouring outputs of each fragment's rows `group` and `group` + 8.
  // FILL ME IN: epilogue (roughly 15 lines)
  const int group = threadIdx.x % 32 / 4, in_group = threadIdx.x % 4;
#pragma unroll
  for (int j = 0; j < kWide; ++j) {
    const int o = first_o + across + 8 * j + 2 * in_group;
    if (o >= out_dim) break;
    const int o_beside = min(o + 1, out_dim - 1);
    const float2 factor = {unscale[o], unscale[o_beside]}, offset = {shift[o], shift[o_beside]};
#pragma unroll
    for (int i = 0; i < 2 * kHigh; ++i) {
      const int row = first_row + down + 8 * i + group;
      if (row >= rows) break;
      const float* of = &sum[i / 2][j][i % 2 * 2];
      const float2 two = {of[0] * factor.x + offset.x, of[1] * factor.y + offset.y};
      float* to = out + static_cast<size_t>(row) * out_dim + o;
      if (out_dim % 2 == 0)
        *reinterpret_cast<float2*>(to) = two;
      else {
        to[0] = two.x;
        if (o + 1 < out_dim) to[1] = two.y;
      }
    }
  }
  // END: epilogue
}

template <bool kFours>
void launch(const float* x, const float* gamma, const float* beta, const float* weight, const float* bias,
            float* out, int rows, int hidden, int out_dim, float eps) {
  const int pieces = (hidden + kDeep - 1) / kDeep * kPieces;
  uint4* folded;
  float *unscale, *shift, *mean, *rstd;
  cudaMalloc(&folded, sizeof(uint4) * out_dim * pieces);
  cudaMalloc(&unscale, sizeof(float) * out_dim);
  cudaMalloc(&shift, sizeof(float) * out_dim);
  cudaMalloc(&mean, sizeof(float) * rows);
  cudaMalloc(&rstd, sizeof(float) * rows);
  prepare_kernel<kFours><<<(rows + out_dim + kPrepWarps - 1) / kPrepWarps, 32 * kPrepWarps>>>(
      x, weight, gamma, beta, bias, folded, unscale, shift, mean, rstd, rows, hidden, out_dim, pieces, eps);
  const auto product = product_kernel<kFours>;
  cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  const dim3 tiles((out_dim + kTileN - 1) / kTileN, (rows + kTileM - 1) / kTileM);
  product<<<tiles, kThreads, kSharedBytes>>>(x, folded, unscale, shift, mean, rstd, out, rows, hidden,
                                             out_dim, pieces);
  cudaFree(rstd);
  cudaFree(mean);
  cudaFree(shift);
  cudaFree(unscale);
  cudaFree(folded);
}

void layernorm_linear_folded(const float* x, const float* gamma, const float* beta, const float* weight,
                             const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                             float eps) {
  const auto at = [](const float* tensor) { return reinterpret_cast<size_t>(tensor); };
  const bool fours = hidden % 4 == 0 && (at(x) | at(gamma) | at(beta) | at(weight)) % 16 == 0;
  const auto run = fours ? launch<true> : launch<false>;
  run(x, gamma, beta, weight, bias, out, batch * seq, hidden, out_dim, eps);
}
