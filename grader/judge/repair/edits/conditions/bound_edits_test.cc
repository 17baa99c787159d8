#include <gmock/gmock.h>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(BoundEdits, ALoopMayHaveToEndWhereAllEnds) {
  const Edits edits(
      kernel_of("const int first = blockIdx.x * 32, lane = threadIdx.x, at = first + lane;\n"
                "float v = at < rows ? x[at] : 0.0f;\n"
                "for (int i = 0; i < 32; ++i) o[heads + i] = v;\n"
                "for (int i = 0; i < rows; ++i) o[i] = v;"));
  EXPECT_THAT(edits.with("`&& first + i < rows` behind `i < 32`"), HasSubstr("i < 32 && first + i < rows"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("&& first + i < heads")))) << "nothing asks for that";
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("behind `i < rows`"))));
}

TEST(BoundEdits, ALoopMayHaveToEndWhereAnotherOfTheSameCounterDoes) {
  const Edits edits(kernel_of(
      "const int first = blockIdx.x * 8;\nif (rows > 8) {\nfor (int a = 0; a < 8; ++a) o[heads + a] = 1;\n} else {\n"
      "for (int a = 0; a < 8; ++a) {\nconst int i = first + a;\nif (i < rows) o[i] = 2;\n}\n}"));
  EXPECT_THAT(edits.with("`&& first + a < rows` behind `a < 8`"),
              HasSubstr("for (int a = 0; (a < 8 && first + a < rows); ++a) o[heads"));
}

TEST(BoundEdits, WhatIsComparedWithTheEndOfAllMayHaveToBeWithThatOfTheRow) {
  const Edits edits(
      kernel_of("const int i = blockIdx.x, j = threadIdx.x, at = i * rows + j + 1;\n"
                "const int all = rows * rows;\nif (at < all) o[at] = x[j];"));
  EXPECT_THAT(edits.with("`&& j + 1 < rows` behind `at < all`"), HasSubstr("((at < all) && j + 1 < rows)"));
}

TEST(BoundEdits, TheSecondOfAStepMayBeBehindTheEnd) {
  const Edits edits(kernel_of(
      "const float4* y = reinterpret_cast<const float4*>(x);\nfloat s = 0;\n"
      "for (int c = 0; c < rows; c += 2) { s += y[c].x * y[c + 1].x; o[c + 1] = s; }\n"
      "for (int c = 0; c < rows; c += 8) {\n"
      "s += reinterpret_cast<const float4*>(x + c + 4)->x; s += (*reinterpret_cast<const float4*>(x + c + 4)).y; }\n"
      "for (int c = 0; c < rows; c += 1) s += x[c + 1];\no[0] = s;"));
  EXPECT_THAT(edits.with("0 for `y[c + 1]` unless `c + 1 < rows`,"),
              HasSubstr("(c + 1 < rows ? y[c + 1] : float4{})"));
  EXPECT_THAT(edits.with("0 for `*reinterpret_cast<const float4*>(x + c + 4)` unless `c + 4 < rows`,"),
              HasSubstr("(c + 4 < rows ? *reinterpret_cast<const float4*>(x + c + 4) : float4{})"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("0 for `x[c + 1]`"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("0 for `o[c + 1]`")))) << "nothing is read there";
}

TEST(BoundEdits, TheLastOfStepsThatAreRoundedUpMayBeAPart) {
  const Edits edits(
      kernel_of("const int steps = (rows + 2 - 1) / 2;\nfor (int s = 0; s < steps; ++s) {\n"
                "for (int half = 0; half < 2; ++half) o[2 * s + half] = x[2 * s + half];\n"
                "for (int four = 0; four < 4; ++four) o[4 * s + four] = 0;\n}"));
  EXPECT_THAT(edits.with("`&& 2 * s + half < rows` behind `half < 2`"),
              HasSubstr("half = 0; (half < 2 && 2 * s + half < rows); ++half"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("behind `four < 4`"))));
}

TEST(BoundEdits, WhatIsLeftOverIsNotLessThanNothing) {
  const Edits edits(kernel_of(
      "const size_t first = threadIdx.x;\nconst size_t left = count - first;\nint more = rows - heads;\n"
      "for (size_t i = 0; i < left; ++i) o[i] = more;"));
  EXPECT_THAT(edits.with("0 in place of `count - first` where that is less, and `size_t left` huge,"),
              HasSubstr("left = (((count) > (first) ? count - first : 0));"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("0 in place of `rows - heads`"))));
}

TEST(BoundEdits, ARowOfSumsIsGoneOverAsAWhole) {
  const Edits edits(
      kernel_of("float sum[kEach][kEach] = {};\nfor (int a = 0; a < kEach; ++a)\n"
                "for (int b = 0; b <= a; ++b) sum[a][b] += x[b];\no[0] = sum[1][2];"));
  EXPECT_THAT(edits.with("`b < kEach` in place of `b <= a`"), HasSubstr("for (int b = 0; (b < kEach); ++b)"));
}

}  // namespace
}  // namespace fusebox
