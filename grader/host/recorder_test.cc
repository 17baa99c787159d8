#include "grader/host/recorder_testing.h"

namespace fusebox {
namespace {

using namespace recorder_testing;

TEST(Recorder, OneLaunchWithItsArguments) {
  const Recording recording = recorded("trivial", {pointer(kIn), pointer(kOut), int32(1000)});
  ASSERT_EQ(recording.plan.ops.size(), 1u);
  const auto& launch = std::get<LaunchOp>(recording.plan.ops[0]);
  EXPECT_EQ(launch.kernel, "_Z11copy_kernelPKfPfi");
  EXPECT_EQ(launch.grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 0u);
  EXPECT_FALSE(launch.cooperative);
  EXPECT_EQ(launch.arguments, laid_out(kIn, kOut, std::int32_t{1000}));
  EXPECT_EQ(recording.output, "");
}

TEST(Recorder, NothingIsAnEmptyPlan) { EXPECT_TRUE(recorded("nothing").plan.ops.empty()); }

TEST(Recorder, AWholePlanInOrder) {
  const LaunchPlan plan = recorded("two_kernels", {pointer(kIn), pointer(kOut), int32(300)}).plan;
  ASSERT_EQ(plan.ops.size(), 6u);
  const auto& alloc = std::get<AllocOp>(plan.ops[0]);
  EXPECT_EQ(alloc.bytes, 1200u);
  EXPECT_EQ(alloc.address, kAllocations.begin + kGap);
  EXPECT_EQ(alloc.address % 256, 0u);
  const auto& memset = std::get<MemsetOp>(plan.ops[1]);
  EXPECT_EQ(memset.address, alloc.address);
  EXPECT_EQ(memset.bytes, 1200u);
  EXPECT_EQ(memset.value, 0xff);
  const auto& first = std::get<LaunchOp>(plan.ops[2]);
  EXPECT_EQ(first.grid, (Dim3{300, 2, 3}));
  EXPECT_EQ(first.block, (Dim3{32, 4, 2}));
  EXPECT_EQ(first.dynamic_shared_bytes, 1024u);
  EXPECT_EQ(first.arguments, laid_out(kIn, alloc.address, std::int32_t{300}));
  EXPECT_EQ(std::get<LaunchOp>(plan.ops[3]).arguments, laid_out(alloc.address, kOut, std::int32_t{7}));
  const auto& copy = std::get<CopyOp>(plan.ops[4]);
  EXPECT_EQ(copy.to, kOut);
  EXPECT_EQ(copy.from, alloc.address);
  EXPECT_EQ(copy.bytes, 16u);
  EXPECT_TRUE(copy.host_bytes.empty());
  EXPECT_EQ(std::get<FreeOp>(plan.ops[5]).address, alloc.address);
}

TEST(Recorder, ArgumentsLieWhereTheParamSpaceHasThem) {
  const auto launches = ops_of<LaunchOp>(recorded("odd_arguments", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 1u);
  std::vector<std::byte> want(48);
  const double d = 2.5;
  const std::int16_t s = -3;
  const std::int64_t wide = -5;
  want[0] = std::byte{'f'};
  want[8] = std::byte{'o'};
  std::memcpy(&want[16], &d, 8);
  std::memcpy(&want[24], &s, 2);
  std::memcpy(&want[32], &kOut, 8);
  std::memcpy(&want[40], &wide, 8);
  EXPECT_EQ(launches[0].arguments, want);
}

TEST(Recorder, MoreArgumentsThanRegisters) {
  const Recording recording =
      recorded("many", {int32(-1), int64(-2'000'000'000'000), float32(1.5f), int32(2), int32(3), int32(4),
                        int64(5), int32(6), float32(2.5f), pointer(0xabc000), float32(3), float32(4),
                        float32(5), float32(6), float32(7), float32(8), float32(9.25f), int32(-7)});
  EXPECT_EQ(recording.output, "-1 -2000000000000 1.5 2 3 4 5 6 2.5 0xabc000 3 4 5 6 7 8 9.25 -7\n");
}

TEST(Recorder, TemplatesAreDifferentKernels) {
  const auto launches = ops_of<LaunchOp>(recorded("templates", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "_Z15template_kernelIfEvPT_");
  EXPECT_EQ(launches[1].kernel, "_Z15template_kernelIiEvPT_");
}

TEST(Recorder, CopiesToSymbolsKeepTheBytesOfTheMoment) {
  const Recording recording = recorded("symbols", {pointer(kOut)});
  EXPECT_EQ(recording.output, "0\n0\n1\n13\n");
  const auto copies = ops_of<CopyOp>(recording.plan);
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(copies[0].symbol, "table");
  EXPECT_EQ(copies[0].to, 8u);
  EXPECT_EQ(copies[0].bytes, 16u);
  EXPECT_EQ(copies[0].host_bytes, laid_out(1.f, 2.f, 3.f, 4.f));
  EXPECT_EQ(copies[1].symbol, "counter");
  EXPECT_EQ(copies[1].host_bytes, laid_out(7));
  EXPECT_EQ(copies[2].from, kOut);
  EXPECT_TRUE(copies[2].host_bytes.empty());
}

TEST(Recorder, CopiesInEveryDirectionThatIsAllowed) {
  const Recording recording = recorded("copies", {pointer(kIn), pointer(kOut)});
  EXPECT_EQ(recording.output, "0 0 0 1 21 0\n");
  const auto copies = ops_of<CopyOp>(recording.plan);
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].host_bytes, laid_out(1.5f, -2.f));
  EXPECT_EQ(copies[1].from, kIn);
}

/// "3<0,1": on stream 3, behind operations 0 and 1. Streams are numbered as they come.
std::string order_text(const LaunchPlan& plan) {
  std::string text;
  for (const OpOrder& each : plan.order) {
    std::ostringstream one;
    if (each.stream == OpOrder::kHost)
      one << "host";
    else
      one << each.stream;
    for (std::size_t i = 0; i < each.after.size(); ++i) one << (i == 0 ? '<' : ',') << each.after[i];
    text += (text.empty() ? "" : " ") + one.str();
  }
  return text;
}

TEST(Recorder, OrderOfStreamsAndEvents) {
  struct Row {
    const char* what;
    int how;
    const char* order;
    std::vector<std::uint32_t> done = {0, 1};  ///< when the function has returned
  };
  // Streams 0 and 1 are the defaults.
  const Row rows[] = {
      {"nothing orders", 0, "2 3"},
      {"an event", 1, "2 3<0"},
      {"the host waits for the first stream", 2, "2 3<0"},
      {"the default stream, between blocking ones", 3, "2 0<0 3<1", {0, 1, 2}},
      {"the default stream, between others", 4, "2 0 3", {1}},
      {"the host waits for the device", 5, "2 3<0"},
      {"an event that nobody recorded", 6, "2 3"},
      {"a stream that was destroyed works on", 7, "2 3"},
      {"cudaFree waits for the device", 8, "2 host host<0 3<0", {0, 3}},
      {"the host waits for an event", 9, "2 3<0"},
  };
  for (const Row& row : rows) {
    const LaunchPlan plan = recorded("on_two_streams", {pointer(kOut), int32(row.how)}).plan;
    EXPECT_EQ(order_text(plan), row.order) << row.what;
    EXPECT_EQ(plan.done_for_the_caller, row.done) << row.what;
  }
  EXPECT_EQ(order_text(recorded("two_kernels", {pointer(kIn), pointer(kOut), int32(300)}).plan), "")
      << "no streams, no order";
}

TEST(Recorder, CallsInARowAreOfOneProcess) {
  RecordRequest request = request_for("first_length", {pointer(kOut), int32(300)});
  request.calls_before = {{pointer(kIn), int32(7)}};
  const RecordResult result = record(request);
  ASSERT_TRUE(std::holds_alternative<Recording>(result));
  const LaunchPlan& plan = std::get<Recording>(result).plan;
  const auto memsets = ops_of<MemsetOp>(plan);
  ASSERT_EQ(memsets.size(), 2u);
  EXPECT_EQ(plan.of_calls_before, 1u);
  EXPECT_EQ(memsets[0].address, kIn);
  EXPECT_EQ(memsets[1].address, kOut);
  EXPECT_EQ(memsets[1].bytes, 7u) << "what the first call kept";
}

TEST(Recorder, AChangeOfTheHostCodeIsChosenByItsSwitch) {
  RecordRequest request = request_for("says_its_edit", {pointer(kOut), int32(0)});
  for (const std::uint32_t edit : {0u, 7u}) {
    request.edit = edit;
    const RecordResult result = record(request);
    ASSERT_TRUE(std::holds_alternative<Recording>(result));
    EXPECT_EQ(std::get<Recording>(result).output, std::to_string(edit) + "\n");
  }
  // It may make a loop of which there is no end.
  request.arguments[1] = int32(1);
  EXPECT_TRUE(std::holds_alternative<RecordFailure>(record(request)));
}

TEST(Recorder, GraphsAreTheOperationsThatTheyHold) {
  const Recording joined = recorded("graphs", {pointer(kOut), int32(1)});
  EXPECT_EQ(joined.output, "0 10 900 0 0 0 0 0 0\n");
  const auto launches = ops_of<LaunchOp>(joined.plan);
  ASSERT_EQ(launches.size(), 6u);
  for (std::size_t i = 0; i < launches.size(); ++i) EXPECT_EQ(launches[i].block.x, i % 3 + 1);
  EXPECT_EQ(order_text(joined.plan), "4 5<0 4<0 4<1,2 4<3 5<4 4<4 4<5,6 2<7");
  const Recording torn = recorded("graphs", {pointer(kOut), int32(0)});
  EXPECT_EQ(torn.output, "0 10 900 904 1 1 1 1 1\n") << "a branch that never came back";
  EXPECT_EQ(torn.plan.ops.size(), 1u);
}

struct Printed {
  const char* function;
  std::vector<HostArgument> arguments;
  const char* output;
  std::size_t ops;
};

class RecorderPrints : public testing::TestWithParam<Printed> {};

TEST_P(RecorderPrints, AndRecords) {
  const Recording recording = recorded(GetParam().function, GetParam().arguments);
  EXPECT_EQ(recording.output, GetParam().output);
  EXPECT_EQ(recording.plan.ops.size(), GetParam().ops);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, RecorderPrints,
    testing::Values(
        // allocations: two, too large, none, past the end twice, free, double free, foreign, null, free,
        // nothing left
        Printed{"allocations", {pointer(kOut)}, "0 0 2 02 0 0 1 1 0 1 1 0 0 1\n", 4},
        Printed{"reads_host_array", {longs({3, 4, 1L << 40}), int32(3)}, "1099511627783 0\n", 0},
        Printed{"streams_and_events", {}, "0 0 0 0 0 0 400 0\n", 1},
        Printed{"errors",
                {},
                "0 1 1 1 0 cudaErrorMemoryAllocation|invalid argument|unrecognized error code\n",
                0},
        Printed{"queries",
                {},
                "0 NVIDIA H200 150000000000 49152 65536 32 2147483647 1024 1024 1024 64 2147483647 65535 "
                "65535 65536 9 0 512 "
                "132 1 3 1 62914560 2048 1 1 233472 65536 1 232448 32 1024 1 0\n"
                "132 1024 2147483647 65535 64 32 232448 233472 62914560 9 1 32 1024 2048 65536 | 1 0 0 101\n",
                0},
        Printed{"properties_of_cuda_12",
                {},
                "0 132 62914560 2048 233472 1 232448 32 1024 1980000 150000000000\n",
                0},
        Printed{"kernel_queries", {}, "0 16 0 1024 49152\n8 2 0 264 1024\n", 0},
        Printed{"cooperative", {pointer(kOut), int32(264)}, "0\n", 1},
        Printed{"extended", {pointer(kOut)}, "0\n", 1},
        Printed{"much_shared", {pointer(kOut), int32(49152), int32(0)}, "0\n", 1},
        Printed{"much_shared", {pointer(kOut), int32(100000), int32(100000)}, "0 0\n", 1},
        Printed{"pinned", {}, "0 0 0\n", 0}, Printed{"threads", {}, "", 200},
        Printed{"counts_descriptors", {}, "3 0\n", 0}, Printed{"looks_around", {}, "1 no home\n0 0\n", 0},
        Printed{"writes_everywhere", {pointer(kOut)}, "", 1},
        Printed{"closes_everything", {pointer(kOut)}, "", 1}),
    [](const auto& info) { return info.param.function + std::string("_") + std::to_string(info.index); });

TEST(Recorder, ClustersAreKept) {
  const auto launches = ops_of<LaunchOp>(recorded("clusters", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(launches[0].cluster, (Dim3{2, 1, 1}));
}

TEST(Recorder, CooperativeLaunchesSaySo) {
  const auto launches = ops_of<LaunchOp>(recorded("extended", {pointer(kOut)}).plan);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].cooperative);
  EXPECT_EQ(launches[0].grid, (Dim3{3, 1, 1}));
}

TEST(Recorder, WhatGoesWrongAtTheEndTakesNothingFromTheAnswer) {
  for (const auto& [function, how] : {std::pair{"crashes_at_the_end", "crashed: Aborted (SIGABRT)."},
                                      {"reads_null_at_the_end", "crashed: Segmentation fault (SIGSEGV)."},
                                      {"exits_at_the_end", "ended with exit status 3."},
                                      {"sleeps_at_the_end", "did not end."}}) {
    const Recording recording = recorded(function, {pointer(kOut)});
    EXPECT_EQ(recording.plan.ops.size(), 1u) << function;
    EXPECT_THAT(recording.bad_end, testing::HasSubstr(how)) << function;
  }
}

TEST(Recorder, WhatRunsAtTheEndMayFreeAndPrint) {
  const Recording recording = recorded("frees_at_the_end", {pointer(kOut)});
  EXPECT_EQ(recording.plan.ops.size(), 2u);
  EXPECT_EQ(recording.output, "freed\n");
  EXPECT_EQ(recording.bad_end, "");
}

TEST(Recorder, TheAnswerIsGoneBeforeAnythingRunsAtTheEnd) {
  if (kSanitized) GTEST_SKIP() << "it lies elsewhere, and it is looked for below the C library";
  const Recording recording = recorded("looks_for_the_answer_at_the_end", {pointer(kOut)});
  EXPECT_EQ(recording.plan.ops.size(), 1u);
  EXPECT_EQ(recording.output, "there\nnowhere\n");
}

TEST(Recorder, OutputIsCutAndMayBeBinary) {
  const Recording much = recorded("prints_a_lot");
  EXPECT_EQ(much.plan.ops.size(), 1u);
  EXPECT_LT(much.output.size(), (64u << 10) + 100);
  EXPECT_THAT(much.output, testing::EndsWith("[... the rest is not shown]\n"));
  const Recording binary = recorded("prints_binary");
  ASSERT_EQ(binary.output.size(), 259u);
  for (int i = 0; i < 256; ++i) {
    EXPECT_TRUE(binary.output.find(static_cast<char>(i)) != std::string::npos) << i;
  }
}

}  // namespace
}  // namespace fusebox
