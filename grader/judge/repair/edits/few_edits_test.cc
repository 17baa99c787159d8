#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

// Of those edits of which a text has few: how places are made, what is stale, weights, conditions, loops.

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A kernel with this body.
std::string kernel_of(const std::string& body) {
  return "constexpr int kEach = 8, kSide = 16, kWarps = 8, kWide = 2;\n"
         "struct Part { float n, mean; };\n"
         "__global__ void k(float* o, const float* x, size_t count, unsigned columns, int rows, int heads) {\n" +
         body + "\n}\n";
}

TEST(PlaceEdits, AMaskMayHaveToBeARemainder) {
  const Edits edits(
      kernel_of("const size_t i = threadIdx.x;\no[i] = i < count ? x[i & (columns - 1)] : 0.0f;"));
  EXPECT_THAT(edits.with("`x[i % columns]` in place of `x[i & (columns - 1)]`"),
              HasSubstr("x[(i % columns)]"));
}

TEST(PlaceEdits, WhatIsBehindARowsEndIsInTheNext) {
  const Edits edits(kernel_of("int c = threadIdx.x;\no[c] = x[c < rows ? c : 0];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("c : c - rows` in place of `c < rows ? c : 0`")));
  // Another value is meant.
  const Edits other(kernel_of("int c = threadIdx.x;\no[c] = x[c < rows ? heads : 0];"));
  EXPECT_THAT(other.says(), Not(Contains(HasSubstr(": c - rows"))));
}

TEST(PlaceEdits, TheLastOfSeveralIsAsFarAsTheyAreApart) {
  const Edits edits(
      kernel_of("const int top = threadIdx.x;\nif (top > rows || heads > top + kEach - 1) return;\n"
                "for (int i = 0; i < kEach; ++i) o[top + i * kSide] = x[i];"));
  EXPECT_THAT(edits.with("`top > rows || heads > top + (kEach - 1) * kSide` in place of `top > rows || "
                         "heads > top + kEach - 1`"),
              HasSubstr("top + ((kEach - 1) * kSide)"));
  const Edits loop(
      kernel_of("const int top = threadIdx.x;\nif (heads > top + (kEach - 1)) return;\n"
                "for (int i = top; i < rows; i += kSide) o[i] = x[i];"));
  EXPECT_THAT(loop.says(), Contains(HasSubstr("(kEach - 1) * kSide")));
}

TEST(PlaceEdits, ARoundOfNeighboursMayBeOfAGroup) {
  const Edits edits(
      kernel_of("const int warp = threadIdx.x / 32;\n__shared__ float s[kWarps];\n"
                "for (int w = 1; w < kWide; ++w) o[w] = s[(warp + w) % kWarps];"));
  EXPECT_THAT(
      edits.says(),
      Contains("`s[warp / kWide * kWide + (warp + w) % kWide]` in place of `s[(warp + w) % kWarps]`"));
}

TEST(PlaceEdits, ANumberOfTwoMayBeTakenApartByTheOther) {
  const Edits edits(
      kernel_of("const int row = blockIdx.z % rows, head = blockIdx.z / rows;\no[row] = x[head];"));
  EXPECT_THAT(edits.with("`blockIdx.z / heads` and `blockIdx.z % heads` in place of `blockIdx.z % rows` and "
                         "`blockIdx.z / rows`"),
              HasSubstr("row = (blockIdx.z / heads), head = (blockIdx.z % heads)"));
}

TEST(PlaceEdits, ANegativeHalfMayFillTheOther) {
  const Edits edits(kernel_of("short a = x[0], b = x[1];\no[0] = a | b << 16;"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`o[0] = (a & 0xffff) | b << 16` in place of")));
}

TEST(StaleEdits, WhatWasWorkedOutBeforeALoopMovesOn) {
  const Edits edits(
      kernel_of("size_t i = threadIdx.x;\nconst size_t row = i / columns;\n"
                "const float m = x[row], s = x[row + 1];\n"
                "for (int n = 0; n < 4; ++n, i += 32) o[i] = (x[i] - m) * s;"));
  EXPECT_THAT(edits.with("`m` and `s` worked out anew for the `i` of each round"),
              AllOf(HasSubstr("- (static_cast<float>(x[(static_cast<size_t>((i) / columns))])))"),
                    HasSubstr("* (static_cast<float>(x[(static_cast<size_t>((i) / columns)) + 1]))")));
  // It stays where it is.
  const Edits steady(
      kernel_of("size_t i = threadIdx.x;\nconst size_t row = i / columns;\n"
                "for (int n = 0; n < 4; ++n) o[i] = x[row];"));
  EXPECT_THAT(steady.says(), Not(Contains(HasSubstr("worked out anew"))));
}

TEST(StaleEdits, WhatWasWorkedOutForAnotherPlace) {
  const Edits edits(
      kernel_of("int i = threadIdx.x;\nconst float m = x[i / rows];\n"
                "for (int n = 0; n < 4; ++n) {\nconst int at = i + n * 32;\no[at] = x[at] - m;\n}"));
  EXPECT_THAT(edits.with("`m` worked out for `at`, not for `i`,"),
              HasSubstr("x[at] - (static_cast<float>(x[(at) / rows]))"));
}

TEST(StaleEdits, WhatIsHandedOverBesideAnotherPlace) {
  const Edits edits(
      kernel_of("const auto ask = [&](int k, bool there) { o[k] = there ? x[k] : 0.0f; };\n"
                "for (int f = 0; f < rows; f += 16) {\nconst int k = f + threadIdx.x;\n"
                "const bool there = k < rows;\nask(k + kSide, there);\n}"));
  EXPECT_THAT(edits.with("`there` worked out for `k + kSide`, not for `k`,"),
              HasSubstr("ask(k + kSide, (static_cast<bool>((k + kSide) < rows)));"));
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

/// What is said of the parts that may be left out, for the edit of which this is said.
std::vector<std::string> weaker(const Edits& edits, const std::string& says) {
  std::vector<std::string> all;
  for (const TextEdit& edit : edits.edits)
    if (edit.says == says)
      for (const TextEdit& weaker : edit.weaker) all.push_back(weaker.says);
  return all;
}

TEST(ConditionParts, AnotherNameSaysNoMoreThanThatAPartIsLeftOut) {
  const Edits edits(kernel_of(
      "const int top = threadIdx.x, left = threadIdx.y;\nif (top >= rows || left > top + kEach) return;\n"
      "o[top] = x[left];"));
  const std::string without = "`left > top + kEach` left out of `top >= rows || left > top + kEach`";
  EXPECT_THAT(edits.with(without), HasSubstr("if ((top >= rows)) return;"));
  EXPECT_THAT(
      weaker(edits, "`top >= rows || heads > top + kEach` in place of `top >= rows || left > top + kEach`"),
      testing::ElementsAre(without));
  EXPECT_THAT(
      weaker(edits, "`top >= rows && left > top + kEach` in place of `top >= rows || left > top + kEach`"),
      testing::SizeIs(2));
  EXPECT_THAT(
      weaker(edits, "`top >= rows || left >= top + kEach` in place of `top >= rows || left > top + kEach`"),
      testing::IsEmpty());
  const Edits alone(kernel_of("const int top = threadIdx.x;\nif (top >= rows) return;\no[top] = x[0];"));
  EXPECT_THAT(weaker(alone, "`top >= heads` in place of `top >= rows`"),
              testing::ElementsAre("`if (top >= rows) return` left out"));
}

TEST(ConditionParts, AConstantIsNotComparedWithAnother) {
  const Edits edits(kernel_of("if (rows <= kSide) o[0] = x[0];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`kEach <= kSide`"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`heads <= kSide`")));
}

TEST(LoopEdits, WhatAWhileLoopHasLeftOverMayTakeMoreRounds) {
  const Edits edits(
      kernel_of("int p = threadIdx.x;\nwhile (p + 3 * kSide < rows) {\no[p] = x[p];\np += 4 * kSide;\n}\n"
                "if (p < rows) o[p] = x[p];"));
  EXPECT_THAT(edits.with("`for (; p < rows; p += kSide)` in place of `if (p < rows)`"),
              HasSubstr("{ for (; p < rows; p += kSide) o[p] = x[p]; }"));
}

TEST(LoopEdits, WhatHalvesMayBeginAtHalf) {
  const Edits edits(kernel_of(
      "for (int d = kSide; d > 0; d >>= 1) o[d] = x[d];\nfor (int e = kEach; e > 0; e -= 1) o[e] = x[e];"));
  EXPECT_THAT(edits.with("`int d = kSide / 2` in place of `int d = kSide`"),
              HasSubstr("int d = ((kSide) / 2);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("kEach / 2"))));
}

TEST(LoopEdits, WhatTheLastRoundHasBegunMayBeDoneBehindTheLoop) {
  const Edits edits(kernel_of(
      "int now = 0;\nconst auto add = [&](int k) { o[k] += x[k]; };\n"
      "for (int next = 1; next < rows; ++next) {\nadd(now);\nadd(next);\n__syncthreads();\nnow = next;\n}"));
  EXPECT_THAT(edits.with("`add(now);` once more behind the loop"), HasSubstr("now = next;\n} add(now); "));
  EXPECT_THAT(edits.says(), Not(Contains("`add(next);` once more behind the loop")));
  EXPECT_THAT(edits.says(), Not(Contains("`__syncthreads();` once more behind the loop")));
}

TEST(PlaceEdits, AGuardMayBeOfAnotherPlaceThanWhatIsWritten) {
  const Edits edits(
      kernel_of("const int first = threadIdx.x;\nfor (int i = 0; i < 4; ++i)\n"
                "if (first + i < rows) o[heads + first + i * kSide] = x[i];"));
  EXPECT_THAT(edits.says(),
              testing::AllOf(Contains("`first + i * kSide < rows` in place of `first + i < rows`"),
                             Contains("`i * kSide < rows` in place of `first + i < rows`")));
}

TEST(PlaceEdits, TilesThatAreNotSquareAreComparedByElements) {
  const Edits edits(
      kernel_of("if (blockIdx.x > blockIdx.y) return;\no[blockIdx.x * kEach] = x[blockIdx.y * kSide];"));
  EXPECT_THAT(edits.says(), Contains("`blockIdx.x * kEach > blockIdx.y * kSide + (kSide - 1)` in place of "
                                     "`blockIdx.x > blockIdx.y`"));
  const Edits square(
      kernel_of("if (blockIdx.x > blockIdx.y) return;\no[blockIdx.x * kSide] = x[blockIdx.y * kSide];"));
  EXPECT_THAT(square.says(), Not(Contains(HasSubstr("+ (kSide - 1)` in place of"))));
}

TEST(ExchangeEdits, AllShufflesOfAFunctionMayHaveToBeExchanges) {
  const Edits edits(
      kernel_of("float a = x[0], b = x[1];\na += __shfl_down_sync(~0u, a, 1);\n"
                "b += __shfl_down_sync(~0u, b, 1);\no[0] = a + b;"));
  EXPECT_THAT(edits.with("`__shfl_xor_sync` in place of `__shfl_down_sync`"),
              AllOf(HasSubstr("a += (__shfl_xor_sync(~0u, a, 1));"),
                    HasSubstr("b += (__shfl_xor_sync(~0u, b, 1));")));
}

TEST(ExpressionEdits, WhatIsAssignedGoesOnBehindAQuestionMark) {
  const Edits edits(kernel_of("const int i = threadIdx.x;\nfloat v[2];\nv[i] = i < rows ? x[i] : 0.0f;"));
  EXPECT_THAT(edits.with("`v[i] += i < rows ? x[i] : 0.0f` in place of `v[i] = i < rows ? x[i] : 0.0f`"),
              HasSubstr("(v[i] += i < rows ? x[i] : 0.0f);"));
}

TEST(ExpressionEdits, APointerIsNoProduct) {
  const Edits edits(kernel_of("const auto odd = [](const float* p) { return p[0] * 2; };\no[0] = odd(x);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("float / p"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("p[0] + 2")));
}

}  // namespace
}  // namespace fusebox
