#include <gmock/gmock.h>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(GuardEdits, WhatIsOnlySetWhereAConditionHoldsIsNothingElsewhere) {
  const Edits edits(kernel_of(
      "float v = x[0]; int n = 3; if (rows < 8) v = o[rows]; if (rows < 4) { n = 4; } o[0] = v * n;"));
  EXPECT_THAT(edits.with("`else v = 0;` behind `if (rows < 8) v = o[rows];`"),
              HasSubstr("{ if (rows < 8) v = o[rows]; else v = 0; }"));
  EXPECT_THAT(edits.says(), Contains("`else v = -INFINITY;` behind `if (rows < 8) v = o[rows];`"));
  EXPECT_THAT(edits.with("`else n = 0;` behind `if (rows < 4) { n = 4; }`"), HasSubstr("else n = 0;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("else n = -INFINITY"))));
}

TEST(GuardEdits, WhatIsAskedOnOneWayAloneIsAskedOnBoth) {
  const Edits edits(
      kernel_of("int i = 2; bool all = heads > 2;\nif (all || (i < rows && i <= heads)) o[0] = 1;\n"
                "if (i < rows && heads) o[1] = 1;"));
  EXPECT_THAT(edits.with("`i < rows && (all || i <= heads)` in place of `all || (i < rows && i <= heads)`"),
              HasSubstr("if ((i < rows && (all || i <= heads))) o[0] = 1;"));
  EXPECT_THAT(edits.says(),
              Contains("`i <= heads && (all || i < rows)` in place of `all || (i < rows && i <= heads)`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("&& (heads ||"))));
}

TEST(GuardEdits, OneOfTwoStatementsMayNeedTheConditionForAPlaceOfItsOwn) {
  const Edits edits(
      kernel_of("int i = heads * 2, j = heads * 3; float a = 0, b = 0;\n"
                "if (i < rows) { a = x[i]; b = x[j]; }\n"
                "const bool there = i < rows; a += there ? x[i] : 0; b += there ? x[j] : 0;\n"
                "if (i < rows) { a = x[i]; b = x[i + j]; }\no[0] = a + b;"));
  EXPECT_THAT(edits.with("`if (j < rows)` of its own in front of `b = x[j];`"),
              HasSubstr("{ if (i < rows) { a = x[i]; ; } if (j < rows) b = x[j]; }"));
  EXPECT_THAT(edits.with("`j < rows` in place of `there` in `b += there ? x[j] : 0;`"),
              HasSubstr("b += (j < rows) ? x[j] : 0;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in front of `b = x[i + j]"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in front of `a"))));
}

TEST(GuardEdits, TheOtherAxisMayNeedABoundToo) {
  const Edits edits(
      kernel_of("const int row = threadIdx.y, h = threadIdx.x, k = 2;\n"
                "float v = row < rows ? x[row * heads + h] : 0.0f;\n"
                "if (row < rows) o[row * heads + h] = v;\n"
                "if (row >= rows) return;\n"
                "o[row + h] = v * k;"));
  EXPECT_THAT(edits.with("`&& h < heads` behind `row < rows`"), HasSubstr("((row < rows) && h < heads)"));
  EXPECT_THAT(edits.with("`|| h >= heads` behind `row >= rows`"), HasSubstr("((row >= rows) || h >= heads)"));
  const Edits known(
      kernel_of("const int row = threadIdx.y, h = threadIdx.x;\nconst bool there = row < rows;\n"
                "o[h] = there ? x[row * heads + h] : 0.0f;"));
  EXPECT_THAT(known.with("`&& h < heads` behind `row < rows`"),
              HasSubstr("there = ((row < rows) && h < heads)"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("k < heads"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("&& row < rows"))));
}

TEST(GuardEdits, ABranchMayBeWhatIsWrong) {
  const Edits edits(
      kernel_of("if (rows % 4 == 0) {\no[0] = 1;\n} else {\no[0] = 2;\n}\nif (rows > 4) o[1] = 2;"));
  EXPECT_THAT(edits.with("the `else` of `if (rows % 4 == 0)` always taken"), HasSubstr("if ((false)) {"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("% 4 == 4"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("% 4 == -1"))));
}

TEST(GuardEdits, WhatAsksWhereAFloat4BeginsMayNotAskWhetherThereIsOne) {
  const Edits edits(
      kernel_of("const int j = threadIdx.x * 4;\nif (reinterpret_cast<size_t>(o + j) % 16 == 0) {\n"
                "o[j] = x[j];\n}\nif (rows > 4) o[0] = 0;"));
  EXPECT_THAT(edits.with("`&& rows % 4 == 0` behind `reinterpret_cast<size_t>(o + j) % 16 == 0`"),
              HasSubstr("% 16 == 0) && rows % 4 == 0"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`&& j + 4 <= rows` behind")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("behind `rows > 4`"))));
}

TEST(GuardEdits, WhatIsStoredInRoundsMayGoBeyondARow) {
  const Edits edits(
      kernel_of("const int first = blockIdx.x * 8; float v[8];\n"
                "for (int b = 0; b < 8; ++b) o[first + b] = v[b];\n"
                "for (int c = 0; c < 8; ++c) if (first + c < rows) o[first + c] = v[c];"));
  EXPECT_THAT(edits.with("`if (first + b < rows)` before `o[first + b] = v[b];`"),
              HasSubstr("{ if (first + b < rows) o[first + b] = v[b]; }"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if (first + c < heads)`")))) << "it is asked of";
  const Edits rows(kernel_of(
      "const int first = blockIdx.x * 8; float v[8];\n"
      "for (int a = 0; a < 8; ++a)\nfor (int b = 0; b < 8; ++b) o[(first + a) * rows + b] = v[b];"));
  EXPECT_THAT(rows.says(), Contains(HasSubstr("`if (first + a < rows)` before"))) << "the outer loop's";
}

TEST(GuardEdits, RowsThatAreTakenByFourMayHaveARest) {
  const Edits edits(
      kernel_of("const bool fits = x != o;\nif (fits && o) {\nfor (int p = threadIdx.x; p < rows / 4; ++p) "
                "o[p] = x[p];\n} else {\no[0] = x[0];\n}\nif (fits && x) { o[1] = 1; } else { o[2] = 2; }"));
  EXPECT_THAT(edits.says(), Contains("`&& rows % 4 == 0` behind `fits && o`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("% 4 == 0` behind `fits && x`"))));
}

}  // namespace
}  // namespace fusebox
