#include "grader/process/run_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace fusebox {
namespace {

TEST(Process, GivesBothStreamsAndTheExitCode) {
  const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 7"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "out\nerr\n");
  EXPECT_EQ(result->exit_code, 7);
  EXPECT_FALSE(result->timed_out);
}

TEST(Process, StdinIsEmptyAndNothingIsInherited) {
  const auto result = run_process({"sh", "-c", "cat; ls /proc/self/fd | wc -l"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "4\n") << "0, 1, 2 and the folder that ls reads";
}

TEST(Process, EnvironmentAndFolder) {
  ProcessOptions options;
  options.directory = "/";
  options.environment = {"FUSEBOX_A=1", "HOME"};
  const auto result = run_process({"sh", "-c", "echo $FUSEBOX_A-$HOME-$PWD"}, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "1--/\n");
}

TEST(Process, ASignalIsTold) {
  const auto result = run_process({"sh", "-c", "kill -SEGV $$"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, 128 + SIGSEGV);
}

TEST(Process, TheWholeGroupIsKilledAtTheTimeLimit) {
  ProcessOptions options;
  options.time_limit_s = 0.1;
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_process({"sh", "-c", "sleep 60 & echo $!; wait"}, options);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  const pid_t child = std::stoi(result->output);
  for (int i = 0; i < 200 && kill(child, 0) == 0; ++i) {
    // Killed, but perhaps not collected yet: an orphan stays visible until its new parent waits for it.
    const auto state = run_process({"sh", "-c", "cut -d' ' -f3 /proc/" + std::to_string(child) + "/stat"});
    if (state->output.find('Z') != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_NE(kill(child, 0), 0) << "the grandchild lives on";
}

TEST(Process, ProcessorTimeIsLimitedAndSleepIsNot) {
  ProcessOptions options;
  options.limits.cpu_s = 1;
  const auto spins = run_process({"sh", "-c", "while :; do :; done"}, options);
  ASSERT_TRUE(spins.ok());
  EXPECT_EQ(spins->exit_code, 128 + SIGXCPU);
  EXPECT_FALSE(spins->timed_out);
  const auto sleeps = run_process({"sh", "-c", "sleep 1.2; echo awake"}, options);
  ASSERT_TRUE(sleeps.ok());
  EXPECT_EQ(sleeps->output, "awake\n");
}

TEST(Process, LimitsHoldForWhatItStarts) {
  ProcessOptions memory, file;
  memory.limits.memory_bytes = 64 << 20;
  file.limits.file_bytes = 4096;
  const std::string name =
      (std::filesystem::temp_directory_path() / ("fusebox_limit" + std::to_string(getpid()))).string();
  const struct {
    ProcessOptions options;
    std::string script;
  } cases[] = {{memory, "sleep 0.05; head -c 256M /dev/zero | tail -c 256M > /dev/null"},
               {file, "sleep 0.05; head -c 8192 /dev/zero > " + name}};
  for (const auto& c : cases) {
    EXPECT_EQ(run_process({"sh", "-c", c.script})->exit_code, 0);
    EXPECT_NE(run_process({"sh", "-c", c.script}, c.options)->exit_code, 0) << c.script;
  }
  std::filesystem::remove(name);
}

TEST(Process, AProgramThatIsNotThereIsAnError) {
  const auto result = run_process({"/no/such/program"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing_part);
  EXPECT_NE(result.error().what.find("/no/such/program"), std::string::npos);
}

}  // namespace
}  // namespace fusebox
