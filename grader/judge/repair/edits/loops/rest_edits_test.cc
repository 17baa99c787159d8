#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Two passes over what a thread keeps of a row, the first of which goes on over the rest.
std::string two_passes(const std::string& more) {
  return kernel_of(
      "float kept[kEach], sum = 0, squares = 0;\n"
      "for (int i = 0; i < kEach; ++i) sum += kept[i];\n"
      "for (int p = kEach * kSide + threadIdx.x; p < rows; p += kSide) sum += x[p];\n"
      "for (int i = 0; i < kEach; ++i) squares += (kept[i] - sum) * (kept[i] - sum);\n" +
      more + "o[0] = squares;");
}

TEST(RestEdits, WhatOneSumGoesOnOverAnotherMayHaveToo) {
  const Edits edits(two_passes(""));
  const std::string rest =
      "for (int p = kEach * kSide + threadIdx.x; p < rows; p += kSide) squares += (x[p] - sum) * (x[p] - sum);";
  EXPECT_THAT(edits.says(), Contains(testing::StartsWith("`" + rest + "` behind `squares += ")));
  const Edits complete(two_passes(rest + "\n"));
  EXPECT_THAT(complete.says(), Not(Contains(testing::StartsWith("`" + rest)))) << "it goes on already";
}

}  // namespace
}  // namespace fusebox
