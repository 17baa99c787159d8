#include "grader/gpu/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "grader/gpu/protocol.h"
#include "grader/host/messages.h"

namespace fusebox::gpu {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::unique_ptr<Gpu> fake(const std::string& mode, double seconds = 5) {
  GpuSettings settings;
  settings.executor = fs::path(FUSEBOX_BINARY_DIR) / "bin/fake_executor";
  settings.arguments = {mode};
  settings.execute_seconds = seconds;
  auto gpu = Gpu::open(settings);
  EXPECT_TRUE(gpu.ok()) << gpu.error().what;
  return gpu ? std::move(*gpu) : nullptr;
}

LaunchPlan two_launches() {
  LaunchPlan plan;
  plan.ops.push_back(AllocOp{0x600000400000, 512});
  plan.ops.push_back(LaunchOp{"_Z5firstPf", {2, 1, 1}, {32, 1, 1}, 0, false, std::vector<std::byte>(8)});
  plan.ops.push_back(LaunchOp{"_Z6secondPf", {1, 1, 1}, {64, 1, 1}, 0, false, std::vector<std::byte>(8)});
  return plan;
}

std::vector<Buffer> buffers() {
  return {{"in", 0x600000100000, 4, {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}},
          {"out", 0x600000200000, 4, {}}};
}

Run run_on(Gpu& gpu) {
  ExecuteOptions options;
  options.model = true;
  auto run = gpu.execute(two_launches(), {}, buffers(), options);
  EXPECT_TRUE(run.ok()) << run.error().what;
  return run ? *run : Run{};
}

TEST(Gpu, ReturnsWhatTheExecutorComputed) {
  auto gpu = fake("");
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->description(), "Pretended GPU, driver 1.2");
  const auto run = run_on(*gpu);
  ASSERT_EQ(run.outputs.size(), 2u);
  EXPECT_EQ(run.outputs[1], buffers()[0].contents);
  EXPECT_EQ(run.written, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(run.output, "printed by a kernel\n");
  EXPECT_EQ(run.intermediate_bytes, 512u);
  ASSERT_EQ(run.launches.size(), 2u);
  EXPECT_EQ(run.launches[0].kernel, "first");
  EXPECT_EQ(run.launches[1].kernel, "second");
  EXPECT_EQ(run.launches[1].block[0], 64u);
  EXPECT_EQ(run.launches[1].time.source, Source::measured);
  EXPECT_EQ(run.launches[1].time.value, 2e-6);
}

struct Misbehaviour {
  const char* mode;
  const char* kind;
  const char* says;
};

class Misbehaving : public testing::TestWithParam<Misbehaviour> {};

TEST_P(Misbehaving, BecomesAVerdictWithTheKernelsName) {
  auto gpu = fake(GetParam().mode, 0.7);
  ASSERT_TRUE(gpu);
  // Twice: what is left of the first process must not answer for the second.
  for (int time = 0; time < 2; ++time) {
    const auto run = run_on(*gpu);
    EXPECT_TRUE(run.faults.empty());
    ASSERT_EQ(run.launches.size(), 2u);
    EXPECT_TRUE(run.launches[0].faults.empty());
    ASSERT_EQ(run.launches[1].faults.size(), 1u);
    const Fault& fault = run.launches[1].faults[0];
    EXPECT_EQ(fault.kind, GetParam().kind);
    EXPECT_EQ(fault.kernel, "second");
    EXPECT_THAT(fault.what, HasSubstr(GetParam().says));
    EXPECT_FALSE(fault.hint.empty());
    ASSERT_EQ(run.outputs.size(), 2u);
    EXPECT_EQ(run.outputs[1], std::vector<std::byte>(4, std::byte{0xFF}));
    EXPECT_EQ(run.written, (std::vector<std::uint8_t>{0, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, Misbehaving,
                         testing::Values(Misbehaviour{"crash", "crash", "killed by signal 11"},
                                         Misbehaviour{"exit", "crash", "exit code 7"},
                                         Misbehaviour{"hang", "endless-loop", "did not end within 0.7 s"},
                                         Misbehaviour{"illegal", "illegal-address",
                                                      "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                         Misbehaviour{"garbage", "garbled", "garbage"},
                                         Misbehaviour{"wrong-kind", "garbled", "garbage"},
                                         Misbehaviour{"oversized", "garbled", "garbage"},
                                         Misbehaviour{"truncated-head", "garbled", "broke off"},
                                         Misbehaviour{"truncated", "garbled", "broke off"},
                                         Misbehaviour{"stalled", "endless-loop", "did not end within"}),
                         [](const auto& info) {
                           std::string name = info.param.mode;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Gpu, AnswersOfAnotherShapeAreGarbage) {
  for (const char* mode : {"short-output", "trailing"}) {
    auto gpu = fake(mode);
    ASSERT_TRUE(gpu);
    const auto run = run_on(*gpu);
    ASSERT_EQ(run.faults.size(), 1u) << mode;
    EXPECT_EQ(run.faults[0].kind, "garbled");
  }
}

TEST(Protocol, APlanTravelsAsItDoesFromTheRecorder) {
  ExecuteRequest request;
  request.plan.ops = {AllocOp{4096, 64}, LaunchOp{"k", {1, 2, 3}, {4, 5, 6}, 7, true, {}, {}}, FreeOp{4096}};
  request.plan.order = {{0, {}}, {1, {0}}, {0, {1}}};
  request.buffers = buffers();
  const auto bytes = encode(request);
  const auto plan = wire::encoded(request.plan);
  EXPECT_NE(std::search(bytes.begin(), bytes.end(), plan.begin(), plan.end()), bytes.end());
  const auto back = decode<ExecuteRequest>(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->plan.order, request.plan.order);
  EXPECT_EQ(encode(*back), bytes);
  request.plan.order[1].after = {2};  // waits for what comes later
  EXPECT_FALSE(decode<ExecuteRequest>(encode(request)));
}

TEST(Protocol, TimingRequestsAndRepliesComeBackWholeOrNotAtAll) {
  TimeRequest request;
  request.sets = {buffers()};
  request.norm = {true, false, 0, 1, 2, 3, 4, 5, 7, 9, 1e-5f};
  request.counters = {"dram__bytes_read.sum", ""};
  TimeReply reply;
  reply.baselines.resize(1);
  reply.baselines[0].name = "cuDNN RMSNorm";
  reply.baselines[0].counters = {{1.5, 2.5}, {}};
  reply.counters_problem = "no permission";
  const auto asked = encode(request), told = encode(reply);
  const auto back = decode<TimeRequest>(asked);
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), asked);
  EXPECT_TRUE(back->norm.rms);
  EXPECT_EQ(back->norm.rstd, 5u);
  EXPECT_EQ(back->norm.columns, 9u);
  EXPECT_EQ(back->norm.eps, 1e-5f);
  EXPECT_EQ(back->counters, request.counters);
  const auto answer = decode<TimeReply>(told);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->baselines[0].counters, reply.baselines[0].counters);
  EXPECT_EQ(answer->counters_problem, "no permission");
  for (std::size_t length = 0; length < asked.size(); ++length)
    EXPECT_FALSE(decode<TimeRequest>(std::span(asked).first(length))) << length;
  for (std::size_t length = 0; length < told.size(); ++length)
    EXPECT_FALSE(decode<TimeReply>(std::span(told).first(length))) << length;
}

TEST(Gpu, TheNextPlanGetsAFreshProcess) {
  const fs::path mark = fs::path(testing::TempDir()) / ("fusebox-once-" + std::to_string(getpid()));
  auto gpu = fake("once:crash:" + mark.string());
  ASSERT_TRUE(gpu);
  EXPECT_EQ(run_on(*gpu).launches.back().faults.size(), 1u);
  const auto second = run_on(*gpu);
  fs::remove(mark);
  ASSERT_EQ(second.launches.size(), 2u);
  EXPECT_TRUE(second.launches[1].faults.empty());
  EXPECT_EQ(second.outputs[1], buffers()[0].contents);
}

TEST(Gpu, WhatNoKernelIsToBlameForIsAnError) {
  auto gpu = fake("no-memory");
  ASSERT_TRUE(gpu);
  const auto run = gpu->execute(two_launches(), {}, buffers(), {});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().kind, ErrorKind::missing_part);
  EXPECT_THAT(run.error().what, HasSubstr("out of memory"));
}

TEST(Gpu, OneThatDoesNotGreetIsMissing) {
  for (const auto& [mode, says] :
       {std::pair{"dies-at-start", "exit code 5"}, std::pair{"hangs-at-start", "does not answer within"},
        std::pair{"no-driver", "there is no driver"}}) {
    GpuSettings settings;
    settings.executor = fs::path(FUSEBOX_BINARY_DIR) / "bin/fake_executor";
    settings.arguments = {mode};
    settings.start_seconds = 0.5;
    const auto gpu = Gpu::open(settings);
    ASSERT_FALSE(gpu.ok()) << mode;
    EXPECT_EQ(exit_code(gpu.error().kind), 3);
    EXPECT_THAT(gpu.error().what, HasSubstr(says));
    EXPECT_THAT(gpu.error().remedy, HasSubstr("--backend sim"));
  }
}

TEST(Gpu, AMissingProgramSaysHowToBuildIt) {
  GpuSettings settings;
  settings.executor = "/nowhere/gpu_executor";
  const auto gpu = Gpu::open(settings);
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(exit_code(gpu.error().kind), 3);
  EXPECT_THAT(gpu.error().remedy, HasSubstr("./fusebox setup"));
}

TEST(Gpu, WithoutADriverTheExecutorSaysSo) {
  if (driver_is_present()) GTEST_SKIP() << "there is a driver here";
  GpuSettings settings;
  settings.executor = fs::path(FUSEBOX_BINARY_DIR) / "bin/gpu_executor";
  const auto gpu = Gpu::open(settings);
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(exit_code(gpu.error().kind), 3);
  EXPECT_THAT(gpu.error().what, HasSubstr("libcuda.so.1"));
}

}  // namespace
}  // namespace fusebox::gpu
