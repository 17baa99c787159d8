#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(LoopEdits, WhatAWhileLoopHasLeftOverMayTakeMoreRounds) {
  const Edits edits(
      kernel_of("int p = threadIdx.x;\nwhile (p + 3 * kSide < rows) {\no[p] = x[p];\np += 4 * kSide;\n}\n"
                "if (p < rows) o[p] = x[p];"));
  EXPECT_THAT(edits.with("`for (; p < rows; p += kSide)` in place of `if (p < rows)`"),
              HasSubstr("{ for (; p < rows; p += kSide) o[p] = x[p]; }"));
}

TEST(LoopEdits, WhatGoesOnBesideTheCounterGoesOnWithTheRest) {
  const Edits edits(kernel_of(
      "int p = threadIdx.x;\nconst float *a = x, *b = x;\n"
      "for (; p + 3 * kSide < rows; p += kEach * kSide) {\no[p] = a[0] + b[0];\na += kEach * heads;\n"
      "b += kEach * heads;\n}\nif (p < rows) o[p] = a[0];"));
  EXPECT_THAT(edits.says(),
              Contains("`for (; p < rows; p += kSide, a += heads)` in place of `if (p < rows)`"));
}

TEST(LoopEdits, WholeRoundsMayGoTooFar) {
  const Edits edits(kernel_of(
      "float v = 0;\nfor (int p = 0; p < rows; p += 2)\nfor (int i = 0; i < 2; ++i) v += x[p + i];\n"
      "for (int p = 0; p < rows; ++p)\nfor (int k = 0; k < heads; ++k) v += x[k];\no[0] = v;"));
  EXPECT_THAT(edits.with("`&& p + i < rows` behind `i < 2`"), HasSubstr("(i < 2 && p + i < rows)"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("p + k < rows"))));
}

TEST(LoopEdits, AThreadsSumsMayHaveToBeginAnewInEachRound) {
  const Edits edits(
      kernel_of("float sum[2][4] = {};\nfor (int t = 0; t < rows; ++t) {\nfor (int a = 0; a < 2; ++a) "
                "sum[a][t] += x[t];\no[t] = sum[0][0];\n}"));
  EXPECT_THAT(edits.with("all of `sum` set to 0 at the beginning of the loop's body"),
              HasSubstr("++t) { for (auto& fusebox_sums : sum) for (float& fusebox_sum : fusebox_sums) "
                        "fusebox_sum = 0; "));
  const Edits others(
      kernel_of("float kept[4];\nfor (int t = 0; t < rows; ++t) {\nkept[t] = x[t];\no[t] += kept[t];\n}"));
  EXPECT_THAT(others.says(), Not(Contains(HasSubstr("set to 0"))));
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

TEST(LoopEdits, WhatIsMergedFromTheSecondOnMayHaveToBeginWithTheFirst) {
  const Edits edits(kernel_of(
      "float v = x[0]; for (int i = 1; i < rows; ++i) v += o[i]; for (int i = 0; i < rows; ++i) v += o[i];"));
  EXPECT_THAT(edits.with("`v = o[0];` in front of the loop"),
              HasSubstr("{ v = o[0]; for (int i = 1; i < rows; ++i) v += o[i]; } for (int i = 0;"));
}

TEST(LoopEdits, WhatIsMergedOfAllMayHaveToBeginWithNothing) {
  const Edits edits(
      kernel_of("__shared__ Part parts[8]; Part v{}, w{};\nv = parts[0];\n"
                "for (const Part& p : parts) v = merged(v, p);\n"
                "w = parts[0];\nfor (int i = 1; i < 8; ++i) w = merged(w, parts[i]);"));
  EXPECT_THAT(edits.with("`v = Part{}` in front of the loop, which takes `parts[0]` itself,"),
              HasSubstr("v = (Part{});\nfor (const Part& p : parts) v = merged(v, p);\nw = parts[0];"));
}

TEST(LoopEdits, WhatMovesElementsMayHaveToBeginAtTheOtherEnd) {
  const Edits edits(
      kernel_of("float w[8];\nfor (int i = 7; i > 0; --i) w[i - 1] = w[i];\n"
                "for (int j = 1; j < rows; ++j) w[j] = w[j - 1];\nfor (int k = 7; k > 0; --k) w[k] = x[k];"));
  EXPECT_THAT(edits.with("`for (int i = 1; i <= 7; ++i)`, from the other end,"),
              HasSubstr("{ for (int i = 1; i <= 7; ++i) w[i - 1] = w[i]; }"));
  EXPECT_THAT(edits.with("`for (int j = rows - 1; j >= 1; --j)`, from the other end,"),
              HasSubstr("w[j] = w[j - 1];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("int k = 1; "))));
}

}  // namespace
}  // namespace fusebox
