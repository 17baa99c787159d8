// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Rows are 16 apart, but the skip takes top + 7 for the last.
// SAYS: kSide|apart|left out of
// NEVER: &&
// HELD: no
// p33: attention scores of which only half are looked at.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// A position may attend to itself and to those before it. So of each T x T matrix only the lower triangle is
// wanted, the diagonal with it: above the diagonal (j > i) nobody looks, whatever is there or is not.
//
//   block (x, y, z)    128 x 128 results of matrix z = b * NH + h; 16 x 16 threads
//   thread             8 x 8 of them, side by side, rows from first_i on and columns from first_j on
//
//   skip       leave when all of the thread's results lie above the diagonal
//   products   compute and store the others, one after the other
//
//   grader p33     grader hint p33     grader lesson p33
//
// T is anything, HS a multiple of 4. All of this file is yours to change, the launch too; only `trimat` keeps
// its name and its parameters.
#include <cuda_runtime.h>

constexpr int kSide = 16;
constexpr int kEach = 8;
constexpr int kTile = kSide * kEach;

// One head of one sequence.
struct Head {
  const float* q;
  const float* k;
  float* scores;
  size_t pitch;
};

__device__ Head find_head(const float* qkv, float* out, int z, int positions, int heads, int channels) {
  const int batch = z / heads, head = z % heads;
  Head h;
  h.pitch = 3 * static_cast<size_t>(heads) * channels;
  h.q = qkv + batch * positions * h.pitch + static_cast<size_t>(head) * channels;
  h.k = h.q + static_cast<size_t>(heads) * channels;
  h.scores = out + static_cast<size_t>(z) * positions * positions;
  return h;
}

// HS is a multiple of 4, and so is each row's beginning.
__device__ __forceinline__ float dot(const float* __restrict__ a, const float* __restrict__ b, int channels) {
  const float4* a4 = reinterpret_cast<const float4*>(a);
  const float4* b4 = reinterpret_cast<const float4*>(b);
  float sum = 0.0f;
  for (int n = 0; n < channels / 4; ++n) {
    const float4 u = a4[n], v = b4[n];
    sum += u.x * v.x;
    sum += u.y * v.y;
    sum += u.z * v.z;
    sum += u.w * v.w;
  }
  return sum;
}

// The results of a thread stand kSide apart in both directions, so that the lanes of a warp store neighbours.
__global__ void __launch_bounds__(kSide* kSide)
    causal_scores(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  const Head at = find_head(qkv, out, blockIdx.z, positions, heads, channels);
  const int top = blockIdx.y * kTile + threadIdx.y;
  const int left = blockIdx.x * kTile + threadIdx.x;
  if (top >= positions || left > top + (kEach - 1)) return;

  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  for (int i = top; i < min(top + kTile, positions); i += kSide) {
    const float* query = at.q + i * at.pitch;
    float* row = at.scores + static_cast<size_t>(i) * positions;
    for (int j = left; j <= i && j < left + kTile; j += kSide)
      row[j] = scale * dot(query, at.k + j * at.pitch, channels);
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  causal_scores<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads, channels);
}
