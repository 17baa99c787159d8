#include <linux/landlock.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "grader/host/recorder_testing.h"

// What the recorder says of host functions that do not return, and what it keeps them from.
namespace fusebox {
namespace {

using namespace recorder_testing;
using testing::HasSubstr;

struct Failing {
  const char* function;
  std::vector<HostArgument> arguments;
  FailureKind kind;
  const char* what;
  bool unsanitized = false;  ///< needs the limit on memory, or the speed, that a sanitizer takes away
};

class RecorderFails : public testing::TestWithParam<Failing> {};

TEST_P(RecorderFails, WithAVerdict) {
  const Failing& row = GetParam();
  if (row.unsanitized && kSanitized) GTEST_SKIP() << "not under the address sanitizer";
  const bool hangs = row.kind == FailureKind::hang;
  const RecordFailure failure = failed(row.function, row.arguments, hangs ? short_limits() : RecordLimits());
  EXPECT_EQ(failure.kind, row.kind) << failure.what << failure.output;
  EXPECT_THAT(failure.what, HasSubstr(row.what));
  EXPECT_FALSE(failure.hint.empty());
  EXPECT_EQ(failure.what.back(), '.');
  EXPECT_EQ(failure.hint.back(), '.');
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

INSTANTIATE_TEST_SUITE_P(
    Verdicts, RecorderFails,
    testing::Values(
        Failing{"null_pointer", {}, FailureKind::crash, "segmentation fault (SIGSEGV) at 0x10."},
        Failing{"device_read",
                {pointer(kOut)},
                FailureKind::crash,
                "(SIGSEGV) at 0x40000020000c, which is device memory"},
        Failing{"own_device_read", {}, FailureKind::crash, "which is device memory"},
        Failing{"divide", {int32(0)}, FailureKind::crash, "(SIGFPE)"},
        Failing{"recursion", {}, FailureKind::crash, "the stack is full"},
        Failing{"aborts", {}, FailureKind::crash, "(SIGABRT)"},
        Failing{"throws", {}, FailureKind::crash, "threw std::runtime_error: no such row."},
        Failing{"throws_number", {}, FailureKind::crash, "threw something that is not a std::exception"},
        Failing{"throws_in_thread", {}, FailureKind::crash, "threw std::logic_error: from a thread"},
        Failing{"throws_bad_alloc", {}, FailureKind::memory, "std::bad_alloc", true},
        Failing{"mallocs_without_end", {}, FailureKind::crash, "(SIGSEGV)", true},
        Failing{"launches_without_end", {}, FailureKind::memory, "more than 100,000", true},
        Failing{"hang", {}, FailureKind::hang, "within 0.4 seconds"},
        Failing{"sleeps", {}, FailureKind::hang, "within 0.4 seconds"},
        Failing{"deaf", {}, FailureKind::hang, "within 0.4 seconds"},
        Failing{"prints_without_end", {}, FailureKind::output, "printed more than 4 MiB"},
        Failing{"exits", {int32(0)}, FailureKind::exit, "exit status 0"},
        Failing{"exits", {int32(7)}, FailureKind::exit, "exit status 7"},
        Failing{"exits_at_once", {int32(0)}, FailureKind::exit, "exit status 0"},
        Failing{"exits_thread", {}, FailureKind::exit, "pthread_exit"},
        Failing{"forks", {}, FailureKind::forbidden, "tried to start a process"},
        Failing{"calls_system", {}, FailureKind::forbidden, "tried to start a process"},
        Failing{"executes", {}, FailureKind::forbidden, "tried to start a process"},
        Failing{"writes_file", {}, FailureKind::forbidden, "tried to write to a file"},
        Failing{"removes_file", {}, FailureKind::forbidden, "tried to write to a file or change one"},
        Failing{"connects", {}, FailureKind::forbidden, "tried to use the network"},
        Failing{"kills_parent", {}, FailureKind::forbidden, "tried to touch another process"},
        Failing{"new_session", {}, FailureKind::forbidden, "tried to leave its session"},
        Failing{"more_limits", {}, FailureKind::forbidden, "tried to change its limits"},
        Failing{"limits_of_the_parent", {}, FailureKind::forbidden, "tried to change its limits"},
        Failing{"changes_open_file", {}, FailureKind::forbidden, "tried to write to a file or change one"},
        Failing{"shares_memory", {}, FailureKind::forbidden, "tried to change the system"},
        Failing{"becomes_urgent", {}, FailureKind::forbidden, "tried to change its limits"},
        Failing{
            "read_back", {pointer(kOut)}, FailureKind::unsupported, "called cudaMemcpy: nothing has run yet"},
        Failing{"read_back_inferred",
                {pointer(kOut)},
                FailureKind::unsupported,
                "called cudaMemcpy: nothing has run yet"},
        Failing{"frees_argument",
                {pointer(kOut)},
                FailureKind::unsupported,
                "called cudaFree with a tensor that it was given"},
        Failing{"copies_nothing",
                {pointer(kIn), pointer(kOut), int32(0)},
                FailureKind::bad_copy,
                "A call of cudaMemcpy of 16 bytes is refused and does nothing: its direction is "
                "cudaMemcpyHostToDevice, and the two pointers are those of cudaMemcpyDeviceToDevice."},
        Failing{"copies_nothing",
                {pointer(kIn), pointer(kOut), int32(1)},
                FailureKind::bad_copy,
                "its direction is cudaMemcpyDeviceToDevice, and the two pointers are those of "
                "cudaMemcpyHostToDevice."},
        Failing{"copies_nothing",
                {pointer(kIn), pointer(kOut), int32(2)},
                FailureKind::bad_copy,
                "A call of cudaMemset of 4 bytes is refused and does nothing"},
        Failing{"copies_nothing",
                {pointer(kIn), pointer(kOut), int32(3)},
                FailureKind::bad_copy,
                "none of the directions"},
        Failing{
            "read_symbol", {}, FailureKind::unsupported, "called cudaMemcpyFromSymbol: nothing has run yet"},
        Failing{"elapsed", {}, FailureKind::unsupported, "the grader holds the clock"},
        Failing{"managed", {}, FailureKind::unsupported, "cudaMallocManaged"},
        Failing{"launch_shape",
                {pointer(kOut), int32(0), int32(32), int32(1)},
                FailureKind::bad_launch,
                "The launch of copy_kernel with grid (0, 1, 1) and block (32, 1, 1) is refused: the grid's x "
                "is 0"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(0), int32(1)},
                FailureKind::bad_launch,
                "the block's x is 0"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(1025), int32(1)},
                FailureKind::bad_launch,
                "the limit is 1024"},
        Failing{"launch_shape",
                {pointer(kOut), int32(1), int32(1), int32(65536)},
                FailureKind::bad_launch,
                "the limit is 65535"},
        Failing{"launch_shape",
                {pointer(kOut), int32(-1), int32(1), int32(1)},
                FailureKind::bad_launch,
                "4294967295"},
        Failing{"much_shared",
                {pointer(kOut), int32(49153), int32(0)},
                FailureKind::bad_launch,
                "without cudaFuncSetAttribute"},
        Failing{"much_shared",
                {pointer(kOut), int32(100004), int32(100000)},
                FailureKind::bad_launch,
                "100004 bytes of shared memory"},
        Failing{"much_shared",
                {pointer(kOut), int32(300000), int32(300000)},
                FailureKind::bad_launch,
                "300000 bytes of shared memory"},
        Failing{"beyond_bounds", {pointer(kOut)}, FailureKind::bad_launch, "__launch_bounds__ allow 256"},
        Failing{"cooperative", {pointer(kOut), int32(265)}, FailureKind::bad_launch, "only 264 are resident"},
        Failing{"no_such_function", {}, FailureKind::load, "no host function no_such_function"}),
    [](const auto& info) { return info.param.function + std::string("_") + std::to_string(info.index); });

TEST(Recorder, BadLaunchesReturnWhatCudaReturns) {
  EXPECT_EQ(failed("launch_shape", {pointer(kOut), int32(0), int32(32), int32(1)}).output, "9\n");
  EXPECT_EQ(failed("much_shared", {pointer(kOut), int32(49153), int32(0)}).output, "1\n");
  EXPECT_EQ(failed("much_shared", {pointer(kOut), int32(300000), int32(300000)}).output, "1 1\n");
  EXPECT_EQ(failed("beyond_bounds", {pointer(kOut)}).output, "701\n");
  EXPECT_EQ(failed("cooperative", {pointer(kOut), int32(265)}).output, "720\n");
}

TEST(Recorder, CallsThatAreNotOfferedAreNamed) {
  RecordRequest request = request_for("pitched");
  request.library = compiled("unsupported");
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_EQ(std::get<RecordFailure>(result).kind, FailureKind::unsupported);
  EXPECT_THAT(std::get<RecordFailure>(result).what, HasSubstr("calls cudaMallocPitch"));
}

TEST(Recorder, AHeapWrittenOverIsAVerdict) {
  const RecordResult result = record(request_for("scribbles"), short_limits());
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_THAT(std::get<RecordFailure>(result).kind,
              testing::AnyOf(FailureKind::crash, FailureKind::garbled, FailureKind::hang, FailureKind::memory,
                             FailureKind::exit));
}

TEST(Recorder, AllocationsBeyondTheRangeAreOutOfMemory) {
  RecordRequest request = request_for("two_kernels", {pointer(kIn), pointer(kOut), int32(300)});
  request.allocations.bytes = kGap + 1000;
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<Recording>(result));
  const LaunchPlan& plan = std::get<Recording>(result).plan;
  EXPECT_TRUE(ops_of<AllocOp>(plan).empty());
  ASSERT_EQ(ops_of<LaunchOp>(plan).size(), 2u);
}

TEST(Recorder, AKernelThatTheDeviceCodeLacksIsNamed) {
  RecordRequest request = request_for("trivial", {pointer(kIn), pointer(kOut), int32(1)});
  request.kernels.clear();
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
  EXPECT_THAT(std::get<RecordFailure>(result).what, HasSubstr("no kernel copy_kernel"));
}

TEST(Recorder, ReadsNothingButTheSystemsLibraries) {
  if (syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
    GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(recorded("reads_files").output, "0000000 1\n");
}

TEST(Recorder, WhatIsNotNeededFailsInSilence) {
  EXPECT_EQ(recorded("asks_for_more").output, "-1-1-1-1-1-1 0\n");
}

TEST(Recorder, OfNoBlocksItSaysHowTheyAreCounted) {
  const auto hint = [](int blocks, int threads) {
    return failed("launch_shape", {pointer(kOut), int32(blocks), int32(threads), int32(1)}, {}).hint;
  };
  EXPECT_THAT(hint(0, 32), HasSubstr("Round up where a number of blocks is a quotient"));
  EXPECT_THAT(hint(1, 1025), HasSubstr("Compute grid and block from the sizes"));
  EXPECT_THAT(hint(256, 1025), HasSubstr("the grid comes first"));
}

TEST(Recorder, ALibraryThatIsNoneIsAVerdict) {
  const fs::path path = fs::path(FUSEBOX_BINARY_DIR) / "host_testdata" / "not_a_library.so";
  std::ofstream(path) << "not a library";
  RecordRequest request = request_for("f");
  for (const fs::path& library : {path, fs::path("/nonexistent/x.so")}) {
    request.library = library;
    const RecordResult result = record(request);
    ASSERT_TRUE(std::holds_alternative<RecordFailure>(result));
    EXPECT_EQ(std::get<RecordFailure>(result).kind, FailureKind::load);
  }
}

TEST(Recorder, AMissingOrBrokenProgramIsAnError) {
  const RecordRequest request = request_for("nothing");
  const Result<RecordResult> missing = Recorder("/nonexistent/recorder").record(request);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::missing_part);
  EXPECT_THAT(missing.error().what, HasSubstr("/nonexistent/recorder"));
  EXPECT_FALSE(missing.error().remedy.empty());
  for (const char* other : {"/bin/false", "/bin/true", "/etc/passwd"}) {
    const Result<RecordResult> broken = Recorder(other).record(request);
    ASSERT_FALSE(broken) << other;
    EXPECT_EQ(broken.error().kind, ErrorKind::missing_part);
  }
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

TEST(Recorder, LeavesNothingBehind) {
  const std::size_t before = open_descriptors();
  recorded("nothing");
  failed("aborts");
  failed("sleeps", {}, short_limits());
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Recorder, ServesCallersWithoutStandardDescriptors) {
  const fs::path library = compiled("behaviours");
  const pid_t child = fork();
  if (child == 0) {
    for (int descriptor = 0; descriptor < 3; ++descriptor) close(descriptor);
    const Result<RecordResult> result =
        Recorder(kProgram).record(request_for("trivial", {pointer(kIn), pointer(kOut), int32(1)}));
    _exit(result && std::holds_alternative<Recording>(*result) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Recorder, ServesSeveralThreads) {
  std::vector<std::thread> callers;
  std::atomic<int> good = 0;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 5; ++round) {
        const auto launches =
            ops_of<LaunchOp>(recorded("trivial", {pointer(kIn), pointer(kOut), int32(caller + 1)}).plan);
        good +=
            launches.size() == 1 && launches[0].arguments == laid_out(kIn, kOut, std::int32_t{caller + 1});
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 20);
}

TEST(Recorder, TakesMilliseconds) {
  const RecordRequest request = request_for("trivial", {pointer(kIn), pointer(kOut), int32(1000)});
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    record(request);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  RecordProperty("best_ms", std::to_string(best * 1e3));
  std::printf("one record() takes %.2f ms at best\n", best * 1e3);
  EXPECT_LT(best, 0.25);  // wide: a machine under load; the figure itself is printed
}

}  // namespace
}  // namespace fusebox
