#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/process/run_process.h"

namespace fusebox {
namespace {

using testing::HasSubstr;

ProcessResult compare(const std::string& range) {
  const auto result = run_process({std::string(FUSEBOX_BINARY_DIR) + "/bin/grader", "compare", range,
                                   "--root", FUSEBOX_SOURCE_DIR, "--no-color"});
  EXPECT_TRUE(result.ok());
  return result ? *result : ProcessResult{};
}

TEST(Compare, WhatIsNoLadderIsRefused) {
  for (const char* range : {"p08", "p08..", "..p13", "p13..p08", "p08..p77"}) {
    const ProcessResult run = compare(range);
    EXPECT_EQ(run.exit_code, 2) << range;
    EXPECT_THAT(run.output, HasSubstr("is no range of puzzles")) << range;
  }
  const ProcessResult run = compare("p05..p07");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.output, HasSubstr("no other puzzle up to p07 computes what p05 does"));
}

TEST(Compare, TheStepsOfALadderStandSideBySideWithWhatWasRecorded) {
  const ProcessResult run = compare("p06..p07");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output,
              testing::ContainsRegex("p06 +1 +256 MiB +1.00 +256 MiB +[0-9.]+ us +[0-9]+ +[0-9.]+ us"));
  EXPECT_THAT(run.output, testing::ContainsRegex("p07 +1 +256 MiB"));
  EXPECT_THAT(run.output, HasSubstr("NVIDIA H200"));
}

}  // namespace
}  // namespace fusebox
