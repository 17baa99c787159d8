#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(FactorEdits, OneOfAListMayLackWhatTheOthersHave) {
  const Edits edits(
      kernel_of("float s = x[0];\nfloat4 v = {x[0] * s, x[1] * s, x[2], x[3] * s};\no[0] = v.x + v.z;"));
  EXPECT_THAT(edits.says(), Contains("`x[2] * s` in place of `x[2]`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("x[0] * s * s"))));
}

TEST(FactorEdits, AllOfAnAssignmentMayLackOne) {
  const Edits edits(
      kernel_of("float delta = x[0], share = x[1];\nfloat mean = 0;\nmean += delta;\no[0] = mean;"));
  EXPECT_THAT(edits.with("`mean += delta * share` in place of `mean += delta`"),
              HasSubstr("mean += (delta * share);"));
}

TEST(FactorEdits, WhatIsStoredMayLackAFunctionOfTheFile) {
  const Edits edits(
      "__device__ float gelu(float v) { return v; }\n__device__ int half(int v) { return v / 2; }\n"
      "__device__ float both(float a, float b) { return a + b; }\n"
      "__global__ void k(float* o, const float* x) {\n  o[0] = gelu(x[0]);\n  o[1] = x[1] * both(1, half(2));\n}\n");
  EXPECT_THAT(edits.says(), Contains("`o[1] = gelu(x[1] * both(1, half(2)))` in place of "
                                     "`o[1] = x[1] * both(1, half(2))`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("gelu(gelu("))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`o[1] = half("))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`o[1] = both(x[1]"))));
}

}  // namespace
}  // namespace fusebox
