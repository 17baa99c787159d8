#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "grader/gpu/gpu.h"
#include "grader/process/run_process.h"

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::Not;

ProcessResult grader(std::vector<std::string> words) {
  words.insert(words.begin(), std::string(FUSEBOX_BINARY_DIR) + "/bin/grader");
  words.insert(words.end(), {"--root", FUSEBOX_SOURCE_DIR, "--no-color"});
  const auto result = run_process(words);
  EXPECT_TRUE(result.ok());
  return result ? *result : ProcessResult{};
}

TEST(GpuBackend, WithoutADriverItSaysSoAndExits3) {
  if (gpu::driver_is_present()) GTEST_SKIP() << "there is a driver here";
  const ProcessResult run = grader({"p04", "--backend", "gpu"});
  EXPECT_EQ(run.exit_code, 3) << run.output;
  EXPECT_THAT(run.output, HasSubstr("there is no NVIDIA driver on this machine"));
  EXPECT_THAT(run.output, HasSubstr("--backend sim"));
}

TEST(GpuBackend, WithoutADriverTheOthersUseTheSimulatorAlone) {
  if (gpu::driver_is_present()) GTEST_SKIP() << "there is a driver here";
  for (const char* backend : {"auto", "sim"}) {
    const ProcessResult run =
        grader({"p04", "--backend", backend, "--from", "solutions", "--seed", "1", "--no-full"});
    EXPECT_EQ(run.exit_code, 0) << run.output;
    // Up to the comma: where the line is broken after it depends on how long the checkout's path is.
    EXPECT_THAT(run.output, HasSubstr("simulator (PTX),"));
    EXPECT_THAT(run.output, Not(HasSubstr("GPU")));
  }
}

TEST(GpuBackend, WithoutADriverBenchShowsWhatWasRecorded) {
  if (gpu::driver_is_present()) GTEST_SKIP() << "there is a driver here";
  const ProcessResult one = grader({"bench", "p22"});
  EXPECT_EQ(one.exit_code, 0) << one.output;
  EXPECT_THAT(one.output, HasSubstr("There is no GPU here. Recorded on NVIDIA H200, 20"));
  EXPECT_THAT(one.output, HasSubstr("p22  RMSNorm"));
  EXPECT_THAT(one.output, Not(HasSubstr("p04")));
  const ProcessResult all = grader({"bench", "all"});
  EXPECT_EQ(all.exit_code, 0) << all.output;
  EXPECT_THAT(all.output, HasSubstr("p29  Adam"));
  // Of one puzzle's tables it is known what made them; all were not made by one command.
  EXPECT_THAT(one.output, HasSubstr("with `grader bench p22 --mistakes --ncu-style`:"));
  EXPECT_THAT(all.output, Not(HasSubstr("with `grader bench")));
  EXPECT_EQ(grader({"bench", "p22", "--backend", "gpu"}).exit_code, 3);
  EXPECT_EQ(grader({"bench", "p77"}).exit_code, 2);
}

}  // namespace
}  // namespace fusebox
