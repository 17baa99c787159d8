#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(SumEdits, WhatIsAddedToMayHaveToBeginAtNothing) {
  const Edits edits(
      kernel_of("float v = x[0];\nv = fmaxf(v, x[1]);\nfor (int i = 0; i < rows; ++i) v += x[i];\n"
                "float w = 0;\nfor (int i = 0; i < rows; ++i) w += x[i];\no[0] = v + w;"));
  EXPECT_THAT(edits.with("`v = 0;` before `for (int i = 0; i < rows; ++i) v += x[i];`"),
              HasSubstr(" v = 0; for (int i = 0; i < rows; ++i) v += x[i];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`w = 0;`")))) << "it does";
}

TEST(SumEdits, ASumMayHaveToBeginAnewInEachRoundOfTheLoopAround) {
  const Edits edits(
      kernel_of("float v = 0;\nfor (int r = 0; r < rows; ++r) {\nfor (int i = 0; i < heads; ++i) "
                "v += x[i];\no[r] = v;\n}"));
  EXPECT_THAT(edits.says(), Contains("`v = 0;` before `for (int i = 0; i < heads; ++i) v += x[i];`"));
}

/// Two passes over what a thread keeps of a row, the first of which goes on over the rest.
std::string two_passes(const std::string& more) {
  return kernel_of(
      "float kept[kEach], sum = 0, squares = 0;\n"
      "for (int i = 0; i < kEach; ++i) sum += kept[i];\n"
      "for (int p = kEach * kSide + threadIdx.x; p < rows; p += kSide) sum += x[p];\n"
      "for (int i = 0; i < kEach; ++i) squares += (kept[i] - sum) * (kept[i] - sum);\n" +
      more + "o[0] = squares;");
}

TEST(SumEdits, WhatOneSumGoesOnOverAnotherMayHaveToo) {
  const Edits edits(two_passes(""));
  const std::string rest =
      "for (int p = kEach * kSide + threadIdx.x; p < rows; p += kSide) squares += (x[p] - sum) * (x[p] - sum);";
  EXPECT_THAT(edits.says(), Contains(testing::StartsWith("`" + rest + "` behind `squares += ")));
  const Edits complete(two_passes(rest + "\n"));
  EXPECT_THAT(complete.says(), Not(Contains(testing::StartsWith("`" + rest)))) << "it goes on already";
}

}  // namespace
}  // namespace fusebox
