#include <gmock/gmock.h>

#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(StepEdits, WhatALoopIsSetToMayHaveToBeAdded) {
  const Edits edits(kernel_of("for (int c = threadIdx.x; c < rows; c = kSide) o[c] = x[c];"));
  EXPECT_THAT(edits.with("`c += kSide` in place of `c = kSide`"), HasSubstr("c < rows; (c += kSide))"));
  // A place that is worked out of itself goes on already.
  const Edits halves(kernel_of("for (int d = 16; d > 0; d = d / 2) o[d] = x[d];"));
  EXPECT_THAT(halves.says(), Not(Contains(HasSubstr("`d += d / 2`"))));
}

TEST(StepEdits, ALoopMayHaveToMoveTheVariableThatItBeginsWith) {
  const Edits edits(kernel_of(
      "for (int i = 0; i < 4; ++i)\nfor (int j = 0; j < 4; ++i) o[i] += x[j];\nfor (int k = 0; k < 4; ++k) o[k] = 0;"));
  EXPECT_THAT(edits.with("`++j` in place of `++i`"), HasSubstr("for (int j = 0; j < 4; ++(j))"));
  EXPECT_THAT(edits.says(), Not(Contains("`++i` in place of `++k`")));
}

TEST(StepEdits, AStepOfOneMayHaveToBeThatOfAllThreads) {
  const Edits edits(kernel_of("for (int c = threadIdx.x; c < rows; ++c) o[c] = x[c];"));
  EXPECT_THAT(edits.with("`c += blockDim.x` in place of `++c`"), HasSubstr("(c += blockDim.x)"));
  EXPECT_THAT(edits.says(), Contains("`c += kSide` in place of `++c`"));
  EXPECT_THAT(edits.says(), Contains("`c += 32` in place of `++c`"));
  const Edits grids(kernel_of("for (int c = blockIdx.x; c < rows; c += kSide) o[c] = x[c];"));
  EXPECT_THAT(grids.says(), Contains("`c += gridDim.x * kSide` in place of `c += kSide`"));
}

TEST(StepEdits, WhatCountsDownAndHasNoSignIsNeverBelow0) {
  const Edits edits(kernel_of("for (unsigned c = rows - 1; c >= 0; --c) o[c] = x[c];"));
  EXPECT_THAT(edits.with("`int c`, which may be less than 0, in place of `unsigned c`, which never is,"),
              HasSubstr("(static_cast<int>(c) >= 0); --c"));
  const Edits others(kernel_of("for (int c = rows - 1; c >= 0; --c) o[c] = x[c];"));
  EXPECT_THAT(others.says(), Not(Contains(HasSubstr("less than 0"))));
}

TEST(StepEdits, AHostFunctionHasNoBlocks) {
  const std::string code = code_of("void f(int n) { for (int i = 0; i < n; ++i) n -= i; }");
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{1, 9}}, "f"))
    for (const char* builtin : {"gridDim", "blockDim", "threadIdx", "blockIdx"})
      EXPECT_THAT(edit.with, Not(HasSubstr(builtin)));
}

}  // namespace
}  // namespace fusebox
