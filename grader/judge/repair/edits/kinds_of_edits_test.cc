// What each kind of edits finds: what may be missing, in loops and in means.

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRest = R"(constexpr int T = 64;
__global__ void k(float* o, const float* x, int n) {
  float sum = 0.0f;
  int c = threadIdx.x;
  for (; c + 3 * T < n; c += 4 * T) sum += x[c] + x[c + T];
  if (c < n) sum += x[c];
  if (n < c) sum += x[0];
  o[0] = sum;
})";

TEST(MissingEdits, WhatALoopHasLeftOverMayTakeMoreRounds) {
  const Edits edits(kRest);
  EXPECT_THAT(edits.with("`for (; c < n; c += T)` in place of `if (c < n)`"),
              HasSubstr("{ for (; c < n; c += T) sum += x[c]; }"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`for (; n < c"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("c += 4)`"))));
}

TEST(ExpressionEdits, WhatIsLeftMayBeginBehindWholeRoundsOfSeveral) {
  const Edits edits(R"(constexpr int T = 64;
__global__ void k(float* o, const float* x, int n) {
  float sum = 0.0f;
  for (int c = n / T * T + threadIdx.x; c < n; c += T) sum += x[c];
  o[0] = sum * n / T;
})");
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`int c = n / (4 * T) * (4 * T) + threadIdx.x`")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("n / (4 * T)`"))));
}

TEST(ExpressionEdits, AnExponentialMayBeOfAnotherBase) {
  const Edits edits(kernel_of("o[0] = exp2f(x[0]);"));
  EXPECT_THAT(edits.says(), Contains("`o[0] = expf(x[0])` in place of `o[0] = exp2f(x[0])`"));
}

TEST(MissingEdits, ASecondLoopMayGoOnWhereTheFirstHasStopped) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c + 32 < n; c += 64) sum += x[c] + x[c + 32];
  for (int c = n / 64 * 64 + threadIdx.x; c < n; c += 32) sum += x[c];
  for (int i = 0; i < n; ++i) sum += x[i];
  o[0] = sum;
})");
  const std::string says =
      "`c` going on from where the loop before has left it, and not from `n / 64 * 64 + threadIdx.x`,";
  EXPECT_THAT(edits.with(says),
              HasSubstr("{ int c = threadIdx.x; for (; c + 32 < n; c += 64) sum += x[c] + x[c + 32]; "
                        "for (; c < n; c += 32) sum += x[c]; }"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`i` going on"))));
}

TEST(MissingEdits, AProductMayLackAFactorThatIsAMember) {
  const Edits edits(R"(struct Part {
  float n = 0.0f, mean, m2;
  __device__ void join(float other, float share) {
    m2 += other * other * share;
    mean += share;
  }
  float last;
};
__global__ void k(float* o) {
  Part part;
  part.join(o[0], o[1]);
  o[0] = part.m2;
})");
  EXPECT_THAT(edits.says(), Contains("`m2 += other * other * share * n` in place of "
                                     "`m2 += other * other * share`"));
  EXPECT_THAT(edits.says(), Contains("`m2 += other * other * share * last` in place of "
                                     "`m2 += other * other * share`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("other * share * other`"))));
}

TEST(MissingEdits, WhatOneThreadHasMayHaveToBeReadWhereItPutIt) {
  const Edits edits(R"(__device__ float total(float v, float* buffer) {
  buffer[threadIdx.x] = v;
  if (threadIdx.x == 0) buffer[0] = v;
  __syncthreads();
  return v;
}
__global__ void k(float* o) { o[0] = total(o[0], o); }
)");
  EXPECT_THAT(edits.with("`buffer[0]` in place of `v`"), HasSubstr("return (buffer[0]);"));
}

TEST(MissingEdits, WhatIsShuffledBesideAMemberMayBelongToIt) {
  const Edits edits(R"(struct Part { float n, sum; };
__device__ Part both(Part a, Part b) { return {a.n + b.n, a.sum + b.sum}; }
__global__ void k(float* o) {
  Part mine{1, o[threadIdx.x]}, other{2, 3};
  mine = both(mine, {mine.n, __shfl_xor_sync(0xffffffffu, mine.sum, 1)});
  mine = both(mine, {other.n, __shfl_xor_sync(0xffffffffu, mine.sum, 2)});
  o[0] = mine.sum;
})");
  std::multiset<std::pair<int, std::string>> found;
  for (const TextEdit& edit : edits.edits) found.emplace(edit.line, edit.with);
  EXPECT_EQ(found.count({5, "__shfl_xor_sync(0xffffffffu, mine.n, 1)"}), 1u);
  for (const auto& [line, with] : found) EXPECT_NE(with, "__shfl_xor_sync(0xffffffffu, other.n, 2)");
}

TEST(MissingEdits, NeighboursMayLieInTheNextRow) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  const int c = threadIdx.x % n;
  const float3 v = make_float3(x[c], x[c + 1], x[c + 2]);
  o[c] = v.x + fmaxf(x[c + 1], 0.0f);
})");
  EXPECT_THAT(edits.says(), Contains(HasSubstr("make_float3(x[c], x[(c + 1) % n], x[(c + 2) % n])")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("fmaxf(x[(c + 1) % n]"))));
}

TEST(MissingEdits, MoreMayBeLeftThanOneForEachLane) {
  const Edits edits(R"(constexpr int kWarp = 32;
__global__ void k(float* o, const float* x, int n) {
  const int lane = threadIdx.x % kWarp, whole = n / 128 * 128;
  for (int c = lane; c < whole; c += kWarp) o[c] = x[c];
  if (whole + lane < n) o[whole + lane] = lane < 3 ? x[whole + lane] : 0;
  if (lane < n) o[lane] = 1;
  if (whole + lane < n) o[0] = 1;
})");
  EXPECT_THAT(
      edits.with("a loop over all that is left, `kWarp` apart, in place of `if (whole + lane < n)`"),
      HasSubstr(
          "for (int fusebox_further = 0; (whole + lane + fusebox_further) < n; fusebox_further += kWarp) "
          "o[ (whole + lane + fusebox_further)] = lane < 3 ? x[ (whole + lane + fusebox_further)] : 0;"));
  const auto says = edits.says();
  EXPECT_EQ(std::count_if(says.begin(), says.end(),
                          [](const std::string& text) {
                            return text.starts_with("a loop over all that is left, `blockDim.x`");
                          }),
            2);  // not where nothing lies at that place
}

TEST(MissingEdits, ALoopMayHaveToEndForAnotherReasonToo) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int rows, int columns) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x;; c += 32) {
    if (c >= columns) break;
    if (c == 7) o[0] = 1;
    o[row * columns + c] = x[c];
  }
})");
  EXPECT_THAT(edits.with("`c >= columns || row >= rows` in place of `c >= columns`"),
              HasSubstr("if (((c >= columns) || row >= rows)) break;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("c == 7 || row"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("|| rows >= columns"))));
}

TEST(MissingEdits, ACallMayMeanAnotherSizeOfItsTemplate) {
  const Edits edits(R"(constexpr int kWarps = 8, kLanes = 32;
template <int kWide>
__device__ float sum(float v) { return v + kWide; }
__global__ void k(float* o) { o[0] = sum<kWarps>(o[0]) + sum<4>(o[1]); }
)");
  EXPECT_THAT(edits.with("`sum<kLanes>` in place of `sum<kWarps>`"), HasSubstr("(sum<kLanes>(o[0]))"));
  EXPECT_THAT(edits.says(), Contains("`sum<kWarps>` in place of `sum<4>`"));
}

TEST(MissingEdits, AShareMayBeTheOthersAndATermMayStandOutsideOfAMaximum) {
  const Edits edits(R"(__global__ void k(float* o, const float* x) {
  const float share = x[0] / 4, more = x[1];
  o[0] = share * o[1];
  o[1] = fmaxf(x[2], x[3] + more);
})");
  EXPECT_THAT(edits.says(), Contains("`o[0] = (1.0f - share) * o[1]` in place of `o[0] = share * o[1]`"));
  EXPECT_THAT(edits.with("`o[1] = fmaxf(x[2], x[3]) + more` in place of `o[1] = fmaxf(x[2], x[3] + more)`"),
              HasSubstr("o[1] = (fmaxf(x[2], x[3]) + more);"));
}

TEST(MissingEdits, AnIndexMayBeOneForAllAndThreadsMayBeMeantAsWarps) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int row = blockIdx.x; row < n; row += stride) o[row] = x[row];
})");
  EXPECT_THAT(edits.says(), Contains("`x[0]` in place of `x[row]`"));
  EXPECT_THAT(edits.says(), Contains("`const int stride = (gridDim.x * blockDim.x) / 32` in place of "
                                     "`const int stride = gridDim.x * blockDim.x`"));
}

TEST(MissingEdits, BehindTheLastElementThereMayBeNothing) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, const float4* y, int n, int m) {
  const int at = min(threadIdx.x + 3, n - 1);
  float sum = x[2 * at] * y[at].x;
  sum += x[m < n ? m : 0];
  sum += y[max(n - 3, 0)].y;
  o[min(m, n - 1)] = sum;
})");
  EXPECT_THAT(edits.with("0 for what is read of `x` and `y`, unless `threadIdx.x + 3 < n`,"),
              HasSubstr("float sum = (threadIdx.x + 3 < n ? x[2 * at] : float{}) * (threadIdx.x + 3 < n ? "
                        "y[at] : float4{}).x;"));
  EXPECT_THAT(edits.with("0 for what is read of `x`, unless `m < n`,"),
              HasSubstr("sum += (m < n ? x[m < n ? m : 0] : float{});"));
  EXPECT_THAT(edits.with("0 for what is read of `y`, unless `n - 3 >= 0`,"),
              HasSubstr("sum += (n - 3 >= 0 ? y[max(n - 3, 0)] : float4{}).y;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("read of `o`"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("INFINITY"))));
  const Edits of_largest(R"(__global__ void k(float* o, const float* x, int n) {
  const int last = n - 1;
  o[0] = fmaxf(o[0], x[min(threadIdx.x, last)]);
})");
  EXPECT_THAT(
      of_largest.with("-INFINITY for what is read of `x`, unless `threadIdx.x <= last`,"),
      HasSubstr("fmaxf(o[0], (threadIdx.x <= last ? x[min(threadIdx.x, last)] : float(-INFINITY)));"));
}

// A loop of two pieces a round that has no end for an odd one.
TEST(MissingEdits, WhatALoopOfSeveralPiecesLeavesOver) {
  const Edits edits(R"(constexpr int T = 64;
__global__ void k(float* o, const float* x, int n) {
  float even = 0, odd = 0;
  for (int c = threadIdx.x; c + T < n; c += 2 * T) {
    const float first = x[c], second = x[c + T];
    even += first;
    odd += second;
  }
  for (int i = 4 * threadIdx.x; i + 1 < n; i += 2) {
    o[i] = x[i];
    o[i + 1] = x[i + 1];
  }
  o[0] = even + odd;
})");
  EXPECT_THAT(
      edits.with("further rounds for what is left over, `for (; c < n; c += T)`, behind the loop"),
      HasSubstr(
          "int c = threadIdx.x; for (; c + T < n; c += 2 * T) { const float first = x[c], second = x[c + "
          "T]; even += first; odd += second; } for (; c < n; c += T) { const float first = x[c]; even += "
          "first;  }"));
  EXPECT_THAT(edits.with("further rounds for what is left over, `for (; i < n; i += 1)`, behind the loop"),
              HasSubstr("for (; i < n; i += 1) { o[i] = x[i];  }"));
}

TEST(MissingEdits, AnotherVariableMayHaveToBeScaledToo) {
  const Edits edits(R"(__global__ void k(float* o) {
  float low[4], high[4], sum = 0.0f, factor = o[0];
  for (int i = 0; i < 4; ++i) {
    low[i] *= factor;
    high[i] += o[i];
    sum *= factor;
  }
  o[1] = low[0] + high[0] + sum;
})");
  EXPECT_THAT(edits.with("`high[i] *= factor;` behind `low[i] *= factor;`"),
              HasSubstr("{ low[i] *= factor; high[i] *= factor; }"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("behind `sum *= factor;`"))));
}

TEST(MissingEdits, AnotherVariableMayHaveToBeScaledAsOneIs) {
  const Edits edits(kernel_of(
      "float low[8], high[8], f = x[0]; for (int i = 0; i < 8; ++i) { low[i] = low[i] * f + x[i]; high[i] += x[i]; }"));
  EXPECT_THAT(edits.with("`high[i] *= f;` behind `low[i] = low[i] * f + x[i];`"),
              HasSubstr("low[i] = low[i] * f + x[i]; high[i] *= f;"));
}

TEST(ExpressionEdits, MatricesMayLieInAnotherOrder) {
  const Edits edits(R"(__global__ void k(float* o) {
  const int heads = gridDim.y;
  const int matrix = blockIdx.y * gridDim.z + blockIdx.z;
  o[matrix] = heads;
})");
  EXPECT_THAT(edits.says(), Contains("`const int matrix = blockIdx.z * gridDim.y + blockIdx.y` in place of "
                                     "`const int matrix = blockIdx.y * gridDim.z + blockIdx.z`"));
}

TEST(MissingEdits, WhatIsSquaredMayBeADistance) {
  const Edits edits(R"(__global__ void k(float* o, float mean, float pivot, int n) {
  const float variance = o[0] / n - mean * mean;
  o[n] = variance * mean * mean;
})");
  EXPECT_THAT(edits.says(), Contains(HasSubstr("o[0] / n - (mean - pivot) * (mean - pivot)`")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("(mean - n) *"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("variance * (mean - pivot)"))));
}

// What is said is what is carried out: without fmaxf two parts of no values would make NaN.
TEST(MissingEdits, MeansOfPartsThatAreNotEquallyLong) {
  const Edits edits(R"(struct Part { float mean, count; };
__global__ void k(float* o, Part a, Part b, float mean, int n) {
  a.mean = (a.mean + b.mean) / 2;
  a.count += b.count;
  mean = 0.5f * (mean + __shfl_xor_sync(~0u, mean, 4));
  o[n] = a.mean + mean;
})");
  std::vector<std::string> texts;
  for (const TextEdit& edit : edits.edits) texts.push_back(with_edit(edits.code, edit));
  EXPECT_THAT(texts,
              Contains(HasSubstr("((a.count * a.mean + b.count * b.mean) / fmaxf(a.count + b.count, 1))")));
  EXPECT_THAT(texts,
              Contains(HasSubstr("((n * mean + __shfl_xor_sync(~0u, n, 4) * __shfl_xor_sync(~0u, mean, 4)) / "
                                 "fmaxf(n + __shfl_xor_sync(~0u, n, 4), 1))")));
  EXPECT_THAT(
      edits.says(),
      Contains(HasSubstr("`a.mean = (a.count * a.mean + b.count * b.mean) / fmaxf(a.count + b.count, 1)`")));
}

TEST(MissingEdits, APlaceMayBeCountedFromAnotherBeginning) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  const int first = blockIdx.y * n, r = threadIdx.x / 8, i = threadIdx.x % 8;
  const int row = first + 8 * blockIdx.x + r, alone = n;
  if (i <= row && r < alone) o[row * 8 + i] = x[row];
})");
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`i <= (row - first)")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("x[(row - first)]")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("(alone - n)"))));
  const auto likely = [&](const char* text) {
    return std::any_of(edits.edits.begin(), edits.edits.end(), [&](const TextEdit& edit) {
      return edit.says.find(text) != std::string::npos && edit.likelihood == TextEdit::Likelihood::likely;
    });
  };
  EXPECT_TRUE(likely("`i <= (row - first)"));
  EXPECT_FALSE(likely("x[(row - first)]"));
}

TEST(MissingEdits, ASumMayBeginAnewInEachRoundOfTheLoopAround) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  float squares = 0.0f, largest = -1e30f, whole = 0.0f;
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < n; ++i) squares = fmaf(x[i], x[i], squares);
    for (int i = 0; i < n; ++i) largest = fmaxf(x[i], largest);
    o[r] = squares + largest;
  }
  for (int i = 0; i < n; ++i) whole = whole + x[i];
  o[n] = whole;
})");
  EXPECT_THAT(edits.with("`squares = 0.0f;` in front of the loop"),
              HasSubstr("squares = 0.0f; for (int i = 0; i < n; ++i) squares = fmaf"));
  EXPECT_THAT(edits.says(), Contains("`largest = -1e30f;` in front of the loop"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`whole = 0.0f;` in front"))));
}

TEST(MissingEdits, StretchesMayLeaveNothingOver) {
  const Edits edits(R"(__global__ void k(float* o, const float* x, int n) {
  const int each = n / gridDim.x, begin = blockIdx.x * each;
  const int end = begin + each, other = n / 2;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) o[i] = x[i] + other;
})");
  EXPECT_THAT(edits.with("`each` rounded up, `(n + gridDim.x - 1) / gridDim.x`, and no end behind `n`,"),
              testing::AllOf(HasSubstr("each = (((n) + (gridDim.x) - 1) / (gridDim.x)), begin"),
                             HasSubstr("end = (begin + each < n ? begin + each : n), other")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`other` rounded up"))));
}

TEST(MissingEdits, RoundingUpComesBeforeAnotherOperator) {
  const Edits edits(R"(__global__ void k(float* o, int n, int parts) {
  const int each = n / parts;
  o[each] = 0;
})");
  const auto says = edits.says();
  const auto place = [&](const char* text) {
    return std::find_if(says.begin(), says.end(),
                        [&](const std::string& one) { return one.find(text) != std::string::npos; });
  };
  ASSERT_NE(place("(n + parts - 1) / parts"), says.end());
  EXPECT_LT(place("(n + parts - 1) / parts"), place("n * parts"));
}

TEST(MissingEdits, ANegativeHalfMayFillTheOther) {
  const Edits edits(kernel_of("short a = x[0], b = x[1];\no[0] = a | b << 16;"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`o[0] = (a & 0xffff) | b << 16` in place of")));
}

TEST(WeightEdits, ADistanceIsCountedAsOftenAsItsPartHasValues) {
  const Edits edits(
      kernel_of("Part a{x[0], x[1]}, b{x[2], x[3]};\nconst float apart = b.mean - a.mean;\n"
                "o[0] = a.mean + 0.5f * apart;\no[1] = a.n + b.n;"));
  EXPECT_THAT(edits.says(),
              Contains("`o[0] = a.mean + apart * (b.n / fmaxf(a.n + b.n, 1))` in place of `o[0] "
                       "= a.mean + 0.5f * apart`"));
}

TEST(WeightEdits, EachOfManyMeansIsCountedAsOften) {
  const Edits edits(
      kernel_of("__shared__ Part parts[kWarps];\nfloat mean = 0.0f;\n"
                "for (int w = 0; w < kWarps; ++w) mean += parts[w].mean;\nmean /= kWarps;\n"
                "for (int w = 0; w < kWarps; ++w) o[w] = parts[w].n * mean;"));
  EXPECT_THAT(edits.with("`mean += parts[w].mean * parts[w].n`, divided by `rows`,"),
              AllOf(HasSubstr("mean += (parts[w].mean * parts[w].n);"), HasSubstr("mean /= (rows);")));
}

TEST(MissingEdits, AMemberThatIsNotShuffledBesideOthersMayBe) {
  const Edits edits(kernel_of(R"(  Part m = {1.0f, x[0]};
  Part other = m;
  other.mean = __shfl_down_sync(~0u, m.mean, 16);
  o[0] = m.n + other.n * other.mean;)"));
  EXPECT_THAT(edits.with("`other.n = __shfl_down_sync(~0u, m.n, 16);` behind "
                         "`other.mean = __shfl_down_sync(~0u, m.mean, 16);`"),
              HasSubstr("m.mean, 16); other.n = __shfl_down_sync(~0u, m.n, 16);"));
  const Edits given(kernel_of(R"(  Part m = {1.0f, x[0]}, other;
  other.mean = __shfl_down_sync(~0u, m.mean, 16);
  other.n = 2;
  o[0] = m.n + other.n * other.mean;)"));
  EXPECT_THAT(given.says(), Not(Contains(HasSubstr("`other.n = __shfl"))));
}

// Where all threads of the grid go through what is left.

}  // namespace
}  // namespace fusebox
