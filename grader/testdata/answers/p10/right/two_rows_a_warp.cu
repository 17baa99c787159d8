// STYLE: a warp has two rows and loads gamma and beta once for both
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void pairs(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                      float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int rows,
                      int columns, float eps) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int first = 2 * (blockIdx.x * 8 + threadIdx.x / 32), lane = warp.thread_rank();
  if (first >= rows) return;
  const int second = min(first + 1, rows - 1);
  const float *a = x + static_cast<size_t>(first) * columns, *b = x + static_cast<size_t>(second) * columns;
  // FILL ME IN: statistics (roughly 10 lines)
  float2 m{0, 0}, s{0, 0};
  for (int c = lane; c < columns; c += 32) {
    m.x += a[c];
    m.y += b[c];
  }
  m.x = cg::reduce(warp, m.x, cg::plus<float>()) / columns;
  m.y = cg::reduce(warp, m.y, cg::plus<float>()) / columns;
  for (int c = lane; c < columns; c += 32) {
    s.x += (a[c] - m.x) * (a[c] - m.x);
    s.y += (b[c] - m.y) * (b[c] - m.y);
  }
  s.x = rsqrtf(cg::reduce(warp, s.x, cg::plus<float>()) / columns + eps);
  s.y = rsqrtf(cg::reduce(warp, s.y, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[first] = m.x, rstd[first] = s.x;
    if (second != first) mean[second] = m.y, rstd[second] = s.y;
  }
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < columns; c += 32) {
    const float g = gamma[c], h = beta[c];
    out[static_cast<size_t>(first) * columns + c] = (a[c] - m.x) * s.x * g + h;
    if (second != first) out[static_cast<size_t>(second) * columns + c] = (b[c] - m.y) * s.y * g + h;
  }
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 2 lines)
  pairs<<<(rows + 15) / 16, 256>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
}
