#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(ExpressionEdits, WhatIsLeftOverMayBeThatOfALengthOfAnotherType) {
  const Edits edits(kernel_of("if (count % 4 == 0) o[rows] = x[0];"));
  EXPECT_THAT(edits.with("`rows % 4 == 0` in place of `count % 4 == 0`"), HasSubstr("(rows) % 4 == 0"));
}

TEST(ExpressionEdits, WhatAPointerLeadsToIsNoAddress) {
  const Edits edits(kernel_of("const float* p = x;\nfloat f = x[2];\no[0] = *p - x[1] * f + *(p + 1);"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(*p - x[1]) * f")));
}

TEST(ExpressionEdits, ARemainderMayBeOfTheWholeProduct) {
  const Edits edits(kernel_of("if (reinterpret_cast<size_t>(x) % sizeof(float) * heads == 0) o[0] = x[0];"));
  EXPECT_THAT(edits.says(),
              Contains(HasSubstr("`reinterpret_cast<size_t>(x) % (sizeof(float) * heads) == 0`")));
}

TEST(ExpressionEdits, AFactorMayBeMeantWithoutItsSign) {
  const Edits edits(kernel_of("float v = x[0];\no[0] = fabsf(v) + v * x[1];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(-fabsf(v)) * x[1]")));
  EXPECT_THAT(Edits(kernel_of("float v = x[0];\no[0] = v * x[1];")).says(),
              Not(Contains(HasSubstr("fabsf"))));
}

TEST(ExpressionEdits, ARemainderIsNoneOfTwoConstants) {
  const Edits edits(kernel_of("const int rest = rows % kEach;\no[rest] = 1;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("kSide % kEach"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("heads % kEach")));
}

TEST(ExchangeEdits, OfATemplatesTypeMembersAreKnownByTheirUse) {
  const Edits edits(kernel_of("const Piece s = piece_of(x);\no[0] = s.x + s.y + s.z + s.z;"));
  EXPECT_THAT(edits.says(), Contains("`s.w` in place of `s.z`"));
}

TEST(MissingEdits, AnotherMemberMayHaveToBeScaledToo) {
  const Edits edits(kernel_of("float2 v[4];\nfloat f = x[0];\nv[1].x *= f;\no[0] = v[1].x + v[1].y;"));
  EXPECT_THAT(edits.with("`v[1].y *= f;` behind `v[1].x *= f;`"), HasSubstr("{ v[1].x *= f; v[1].y *= f; }"));
  EXPECT_THAT(edits.says(), Not(Contains("`v[1].z *= f;` behind `v[1].x *= f;`")));
}

TEST(ExpressionEdits, AConstantIsNotComparedWithAnother) {
  const Edits edits(kernel_of("if (rows <= kSide) o[0] = x[0];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`kEach <= kSide`"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`heads <= kSide`")));
}

TEST(ExpressionEdits, WhatIsAssignedGoesOnBehindAQuestionMark) {
  const Edits edits(kernel_of("const int i = threadIdx.x;\nfloat v[2];\nv[i] = i < rows ? x[i] : 0.0f;"));
  EXPECT_THAT(edits.with("`v[i] += i < rows ? x[i] : 0.0f` in place of `v[i] = i < rows ? x[i] : 0.0f`"),
              HasSubstr("(v[i] += i < rows ? x[i] : 0.0f);"));
}

TEST(ExpressionEdits, WhatIsAssignedGoesOnBehindAnotherAssignment) {
  const Edits edits(kernel_of("float v[2], sum = 0;\nv[1] = sum += x[0];"));
  EXPECT_THAT(edits.with("`v[1] += sum += x[0]` in place of `v[1] = sum += x[0]`"),
              HasSubstr("(v[1] += sum += x[0]);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in place of `v[1] = sum`"))));
}

TEST(ExpressionEdits, APointerIsNoProduct) {
  const Edits edits(kernel_of("const auto odd = [](const float* p) { return p[0] * 2; };\no[0] = odd(x);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("float / p"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("p[0] + 2")));
}

TEST(ExchangeEdits, AllShufflesOfAFunctionMayHaveToBeExchanges) {
  const Edits edits(
      kernel_of("float a = x[0], b = x[1];\na += __shfl_down_sync(~0u, a, 1);\n"
                "b += __shfl_down_sync(~0u, b, 1);\no[0] = a + b;"));
  EXPECT_THAT(edits.with("`__shfl_xor_sync` in place of each `__shfl_down_sync`"),
              AllOf(HasSubstr("a += (__shfl_xor_sync(~0u, a, 1));"),
                    HasSubstr("b += (__shfl_xor_sync(~0u, b, 1));")));
}

TEST(ExchangeEdits, AllPowersMayHaveToBeOfAnotherBase) {
  const Edits edits(kernel_of("o[0] = x[0] * expf(x[1]) + x[2] * expf(expf(x[3]));\no[1] = logf(x[4]);"));
  EXPECT_THAT(edits.with("`exp2f` in place of each `expf`"),
              AllOf(HasSubstr("x[0] * (exp2f(x[1]))"), HasSubstr("(exp2f(expf(x[3])))")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in place of each `logf`")))) << "there is one";
}

TEST(ExpressionEdits, BlocksAreDividedByWhatTheyAreDividedByElsewhere) {
  const Edits edits(
      kernel_of("const int tiles = (rows + 7) / 8, row = blockIdx.x / tiles;\n"
                "if (row < gridDim.x) o[blockIdx.x % heads] = x[row];"));
  EXPECT_THAT(edits.says(), Contains("`row < gridDim.x / tiles` in place of `row < gridDim.x`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("blockIdx.x / tiles / tiles"))));
}

TEST(ExpressionEdits, AMemberIsNoVariableThatIsCalledSo) {
  // Every kernel here has a pointer `x`; the x of threadIdx is none.
  const Edits edits(kernel_of("const int i = (blockIdx.x * 32 - threadIdx.x) / 4;\no[i] = x[i];"));
  EXPECT_THAT(edits.says(),
              Contains("`blockIdx.x * 32 + threadIdx.x` in place of `blockIdx.x * 32 - threadIdx.x`"));
}

TEST(ExpressionEdits, AnAddressMayLieOnTheOtherSide) {
  const Edits edits(
      kernel_of("const float* row = x - rows * heads;\nconst float* other = x + heads + rows;\n"
                "o[0] = row[0] + other[0];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("row = x + rows * heads` in place of")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("other = x + heads * rows` in place of")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("x * heads"))));
}

TEST(ExpressionEdits, ThreadsAndBlocksThatAFunctionDoesNotUseYet) {
  const Edits edits(kernel_of("for (int c = blockIdx.x; c < rows; c += 32) o[c] = x[c];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`int c = threadIdx.x`")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`int c = blockIdx.y`")));
}

TEST(ExpressionEdits, WhereABlockBeginsMayLackHowMuchEachHas) {
  const Edits edits(
      kernel_of("const int first = blockIdx.x;\nfor (int i = 0; i < 64; ++i) o[first + i] = x[i];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(blockIdx.x * kSide)")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(blockIdx.x * 64)")));
}

TEST(ExpressionEdits, AMemberOfAVectorMayHaveToBeAddedTo) {
  const Edits edits(kernel_of("float2 sums[2] = {};\nsums[1].y = x[0];\no[0] = sums[1].y;"));
  EXPECT_THAT(edits.says(), Contains("`sums[1].y += x[0]` in place of `sums[1].y = x[0]`"));
}

TEST(ExpressionEdits, WhatIsGivenAValueIsNoConstant) {
  const Edits edits(kernel_of("float4 r = {};\nconst float4 a = {};\nr.x += a.x;\no[0] = r.x;"));
  EXPECT_THAT(edits.says(), Not(Contains("`a.x` in place of `r.x`")));
  EXPECT_THAT(edits.says(), Not(Contains("`r` and `a` exchanged")));
  EXPECT_THAT(edits.says(), Contains("`r.y` in place of `r.x`"));
  const Edits references(
      "__device__ void update(float& p, float g) { p -= g; }\n__global__ void k(float* o, const float* x) {\n"
      "  float m = o[0], n = o[1];\n  const float g = x[0];\n  update(m, g);\n  o[0] = m + n;\n}\n");
  std::vector<std::string> given;  // to update() for `m`
  for (const TextEdit& edit : references.edits)
    if (edit.line == 5 && references.code[edit.begin] == 'm') given.push_back(edit.with);
  EXPECT_THAT(given, Contains("n"));
  EXPECT_THAT(given, Not(Contains("g")));
}

TEST(ExpressionEdits, WhatABlockSharesIsNotReadForSomethingElse) {
  // Compiled with a switch it would be read where nobody has written it yet.
  const Edits edits(
      kernel_of("__shared__ float total;\nfloat v = x[0], w = x[1];\n"
                "if (rows == 0) total = v * 2;\no[0] = v + w + total;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`total * 2"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`total` and `v` exchanged"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`total = w * 2`")));
}

TEST(ExpressionEdits, WhatANamespaceHasIsNotKnownOutsideOfIt) {
  const Edits edits(
      "namespace tile { constexpr int each = 4; __device__ int of(int n) { return n / 3; } }\n"
      "constexpr int kWide = 2;\n__global__ void k(float* o, int n) { o[n / 3] = tile::of(n); }\n");
  EXPECT_THAT(edits.says(), Contains(HasSubstr("n / each")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`o[n / kWide]`")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`o[n / each]`"))));
}

TEST(ExpressionEdits, WhatWasReadMayBeTooSmallAndTooLarge) {
  const Edits edits(
      kernel_of("const int id = o[rows];\nif (id < 0) return;\nif (rows < 0) return;\no[id] = x[0];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(id < 0 || id >= heads)")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("(rows < 0 ||"))));
}

TEST(ExpressionEdits, AGroupsRanksAreTakenForEachOther) {
  const Edits edits(kernel_of("auto tile = group();\no[tile.meta_group_rank()] = x[0];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`o[tile.thread_rank()]`")));
}

TEST(ExpressionEdits, ASumMayHaveToBeTakenOffPartByPart) {
  const Edits edits(kernel_of("const float level = x[0] + logf(x[1]);\no[0] = expf(x[2] - level);"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`x[2] - x[0] - logf(x[1])`")));
}

TEST(ExpressionEdits, AnyReferenceIsNoCondition) {
  const Edits edits(
      kernel_of("const auto each = [&](auto&& what) { what(rows); };\neach([&](int i) { o[i] = x[i]; "
                "});"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`auto&& what`"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if (& <")))) << "nor is what a lambda holds an index";
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if (i < rows)` before `each"))))
      << "nobody knows i there";
}

TEST(ExpressionEdits, WhatIsDeclaredInACondition) {
  const Edits edits(kernel_of("if (const int c = rows * 2; c < heads) o[c] = x[c] + blockIdx.x;"));
  EXPECT_THAT(edits.with("no condition in place of `c < heads`"),
              HasSubstr("if (const int c = rows * 2; (true)) o[c]"));
  EXPECT_THAT(edits.with("`&& blockIdx.x == 0` behind `c < heads`"),
              HasSubstr("if (const int c = rows * 2; ((c < heads) && blockIdx.x == 0)) o[c]"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in place of `if (c")))) << "c would be lost";
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`c <= heads` in place of `c < heads`")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`o[(c + 1)]` in place of `o[c]`"))) << "c is known";
}

TEST(ExpressionEdits, WhatIsLeftOfARowIsNoNegativeNumber) {
  const Edits edits(kernel_of("for (int i = 0; i * 8 < rows - threadIdx.x; ++i) o[i] = x[i] + blockIdx.x;"));
  EXPECT_THAT(edits.says(),
              Contains("`i * 8 + threadIdx.x < rows` in place of `i * 8 < rows - threadIdx.x`"));
}

TEST(ExpressionEdits, TheSizeOfAPointerIsHardlyEverMeant) {
  const Edits edits(
      kernel_of("const int bytes = sizeof(float4*);\no[rows % sizeof(x)] = x[rows % sizeof(rows) + bytes];"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("bytes = sizeof(float4)` in place")));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("sizeof(*x)")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("sizeof(*rows)"))));
}

TEST(ExpressionEdits, WhatAMemberIsGivenToChangeIsNoConstant) {
  const std::string code =
      "struct Step { float b;\n__device__ void update(float& to, float by) const { to += b * by; } };\n"
      "__global__ void k(float* o, const float* x, Step step) {\n"
      "const float g = x[0]; float p = x[1], m = x[2];\nstep.update(p, g);\no[0] = p + m;\n}";
  const Edits edits(code);
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`m` in place of `p`")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`g` in place of `p`"))));
}

}  // namespace
}  // namespace fusebox
