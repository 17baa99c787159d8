// What only a GPU can show. Without one every test says so and is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "grader/gpu/gpu.h"
#include "grader/simulator/simulator.h"

namespace fusebox::gpu {
namespace {

namespace fs = std::filesystem;

const char* const kPtx = R"(
.version 6.3
.target sm_75
.address_size 64
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 words[8] = {104, 101, 108, 108, 111, 10, 0, 0};
.visible .global .align 4 .f32 scale = 0f3F800000;

.visible .entry scaled(.param .u64 out, .param .u64 in, .param .u32 count)
{
  .reg .b32 %r<6>;
  .reg .b64 %d<6>;
  .reg .f32 %f<4>;
  .reg .pred %p<2>;
  ld.param.u64 %d1, [out];
  ld.param.u64 %d2, [in];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra END;
  mul.wide.u32 %d3, %r5, 4;
  add.u64 %d4, %d2, %d3;
  add.u64 %d5, %d1, %d3;
  ld.global.f32 %f1, [%d4];
  ld.global.f32 %f2, [scale];
  mul.rn.f32 %f3, %f1, %f2;
  st.global.f32 [%d5], %f3;
END:
  ret;
}

.visible .entry endless(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  .reg .pred %p<2>;
  ld.param.u64 %d1, [out];
AGAIN:
  ld.volatile.global.u32 %r1, [%d1];
  setp.ne.u32 %p1, %r1, 12345;
  @%p1 bra AGAIN;
  ret;
}

.visible .entry wild(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [out];
  add.u64 %d2, %d1, 0x1000000000;
  mov.u32 %r1, 7;
  st.global.u32 [%d2], %r1;
  ret;
}

.visible .entry crooked(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [out];
  add.u64 %d2, %d1, 2;
  mov.u32 %r1, 7;
  st.global.u32 [%d2], %r1;
  ret;
}

.visible .entry trapped(.param .u64 out)
{
  trap;
  ret;
}

.visible .entry of_its_own(.param .u64 out)
{
  .shared .align 4 .b8 own[1024];
  .reg .b32 %r<4>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, own;
  mov.u32 %r2, 7;
  st.volatile.shared.u32 [%r1], %r2;
  ld.volatile.shared.u32 %r3, [%r1];
  st.global.u32 [%d1], %r3;
  ret;
}

.visible .entry chatty(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<3>;
  mov.u64 %d1, words;
  cvta.global.u64 %d2, %d1;
  {
    .param .b64 format;
    .param .b64 values;
    .param .b32 status;
    st.param.b64 [format], %d2;
    st.param.b64 [values], 0;
    call.uni (status), vprintf, (format, values);
    ld.param.b32 %r1, [status];
  }
  ret;
}
)";

constexpr std::uint32_t kCount = 1000;

class Hardware : public testing::Test {
 protected:
  void SetUp() override {
    if (!driver_is_present()) GTEST_SKIP() << "skipped: no GPU";
    GpuSettings settings;
    settings.executor = fs::path(FUSEBOX_BINARY_DIR) / "bin/gpu_executor";
    settings.execute_seconds = 3;
    auto gpu = Gpu::open(settings);
    if (!gpu) GTEST_SKIP() << "skipped: no GPU (" << gpu.error().what << ")";
    gpu_ = std::move(*gpu);
    module_.ptx = kPtx;
    const std::uint64_t sizes[] = {4 * kCount, 4 * kCount};
    addresses_ = place_buffers(gpu_->address_range(), sizes);
    std::vector<std::byte> in;
    for (std::uint32_t i = 0; i < kCount; ++i) append(in, static_cast<float>(i) * 0.25f);
    buffers_ = {{"in", addresses_[0], sizes[0], in}, {"out", addresses_[1], sizes[1], {}}};
  }

  template <class T>
  static void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }

  LaunchOp scaled() const {
    LaunchOp launch{"scaled", {(kCount + 127) / 128, 1, 1}, {128, 1, 1}, 0, false, {}};
    append(launch.arguments, addresses_[1]);
    append(launch.arguments, addresses_[0]);
    append(launch.arguments, kCount);
    return launch;
  }
  LaunchOp simple(const char* kernel) const {
    LaunchOp launch{kernel, {}, {}, 0, false, {}};
    append(launch.arguments, addresses_[1]);
    return launch;
  }
  LaunchPlan twice_as_much() const {
    CopyOp scale{0, 0, 4, "scale", {}};
    append(scale.host_bytes, 2.0f);
    return {{scale, scaled()}};
  }
  static float value(const std::vector<std::byte>& bytes, std::size_t i) {
    float v;
    std::memcpy(&v, bytes.data() + 4 * i, 4);
    return v;
  }

  /// A right plan after whatever happened: the next case must not notice.
  void expect_works() {
    const auto run = gpu_->execute(twice_as_much(), module_, buffers_, {});
    ASSERT_TRUE(run.ok()) << run.error().what;
    for (const LaunchRecord& launch : run->launches) ASSERT_TRUE(launch.faults.empty());
    ASSERT_EQ(run->outputs.size(), 2u);
    EXPECT_EQ(value(run->outputs[1], 999), 999 * 0.5f);
  }

  std::unique_ptr<Gpu> gpu_;
  ModuleImage module_;
  std::vector<DeviceAddress> addresses_;
  std::vector<Buffer> buffers_;
};

TEST_F(Hardware, RunsAPlanAndMeasuresIt) {
  ExecuteOptions options;
  options.model = true;
  const auto run = gpu_->execute(twice_as_much(), module_, buffers_, options);
  ASSERT_TRUE(run.ok()) << run.error().what;
  ASSERT_EQ(run->launches.size(), 1u);
  ASSERT_TRUE(run->launches[0].faults.empty()) << run->launches[0].faults[0].what;
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(value(run->outputs[1], i), i * 0.5f);
  EXPECT_EQ(run->outputs[0], buffers_[0].contents);
  ASSERT_TRUE(run->launches[0].time.value);
  EXPECT_GT(*run->launches[0].time.value, 2e-7);
  EXPECT_LT(*run->launches[0].time.value, 1e-3);
  RecordProperty("gpu", gpu_->description());
}

TEST_F(Hardware, ModulesStartFromTheirInitialValues) {
  expect_works();
  const auto run = gpu_->execute({{scaled()}}, module_, buffers_, {});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(value(run->outputs[1], 100), 25.0f);
}

TEST_F(Hardware, WhatNobodyWroteIsNan) {
  const auto run = gpu_->execute({}, module_, buffers_, {});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->outputs[1], std::vector<std::byte>(4 * kCount, std::byte{0xFF}));
}

TEST_F(Hardware, FaultsEndTheProcessAndNothingElse) {
  for (const auto& [kernel, kind] : {std::pair{"wild", "illegal-address"}, std::pair{"crooked", "misaligned"},
                                     std::pair{"trapped", "trap"}, std::pair{"endless", "endless-loop"}}) {
    const auto run = gpu_->execute({{scaled(), simple(kernel), scaled()}}, module_, buffers_, {});
    ASSERT_TRUE(run.ok()) << kernel << ": " << run.error().what;
    ASSERT_EQ(run->launches.size(), 2u) << kernel;
    EXPECT_TRUE(run->launches[0].faults.empty());
    ASSERT_EQ(run->launches[1].faults.size(), 1u) << kernel;
    EXPECT_EQ(run->launches[1].faults[0].kind, kind) << run->launches[1].faults[0].what;
    EXPECT_EQ(run->launches[1].faults[0].kernel, kernel);
    expect_works();
  }
}

TEST_F(Hardware, ALaunchThatIsTooLargeIsRefused) {
  LaunchOp large = scaled();
  large.block = {2048, 1, 1};
  const auto run = gpu_->execute({{large}}, module_, buffers_, {});
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run->launches.size(), 1u);
  ASSERT_EQ(run->launches[0].faults.size(), 1u);
  EXPECT_EQ(run->launches[0].faults[0].kind, "bad-launch");
  expect_works();
}

TEST_F(Hardware, SharedMemoryOfTwoKindsMayBeMoreThan48KiBTogether) {
  LaunchOp launch = simple("of_its_own");
  launch.dynamic_shared_bytes = 48 << 10;
  const auto run = gpu_->execute({{launch}}, module_, buffers_, {});
  ASSERT_TRUE(run.ok()) << run.error().what;
  ASSERT_EQ(run->launches.size(), 1u);
  ASSERT_TRUE(run->launches[0].faults.empty()) << run->launches[0].faults[0].what;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value(run->outputs[1], 0)), 7u);
}

TEST_F(Hardware, WhatKernelsPrintIsReturned) {
  const auto run = gpu_->execute({{simple("chatty")}}, module_, buffers_, {});
  ASSERT_TRUE(run.ok()) << run.error().what;
  EXPECT_EQ(run->output, "hello\n");
}

TEST_F(Hardware, TheSimulatorComputesTheSameBytes) {
  GpuProfile profile;
  profile.l2_bytes = 1 << 20;
  sim::Simulator simulator(profile);
  // The plan holds addresses: it only fits both when both reserved the same.
  if (simulator.address_range().begin != gpu_->address_range().begin)
    GTEST_SKIP() << "skipped: this driver gives other addresses than the simulator has";
  const auto here = gpu_->execute(twice_as_much(), module_, buffers_, {});
  const auto there = simulator.execute(twice_as_much(), module_, buffers_, {});
  ASSERT_TRUE(here.ok() && there.ok());
  EXPECT_EQ(here->outputs, there->outputs);
}

TEST_F(Hardware, CountsWhatALaunchAsksFor) {
  TimeRequest request;
  request.modules.push_back({kPtx, {}});
  request.sets = {buffers_};
  request.uses = {BufferUse::input, BufferUse::output};
  request.min_bytes = 8ull * kCount;
  request.variants = {{"twice", 0, {{{scaled(), scaled()}}}}};
  request.seconds = 0.1;
  request.counters = {"no_such_counter.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
  const auto reply = gpu_->time(request);
  ASSERT_TRUE(reply.ok()) << reply.error().what;
  if (!reply->counters_problem.empty()) {
    EXPECT_TRUE(reply->variants[0].counters.empty());
    GTEST_SKIP() << "skipped: " << reply->counters_problem;
  }
  const auto& launches = reply->variants[0].counters;
  ASSERT_EQ(launches.size(), 2u);
  for (const auto& counters : launches) {
    ASSERT_EQ(counters.size(), 3u);
    EXPECT_TRUE(std::isnan(counters[0]));
    EXPECT_EQ(counters[1], 2 * 32);  // 32 warps, each loads the scale and its numbers
    EXPECT_EQ(counters[2], (kCount + 7) / 8);
  }
}

TEST_F(Hardware, LibrariesNormaliseTheSameRows) {
  constexpr std::uint64_t kRows = 64, kColumns = 256;
  std::vector<std::byte> x, ones;
  for (std::uint64_t i = 0; i < kRows * kColumns; ++i) append(x, static_cast<float>(i % 7) - 2);
  for (std::uint64_t i = 0; i < kColumns; ++i) append(ones, 1.0f);
  const std::uint64_t large = 4 * kRows * kColumns, row = 4 * kColumns, column = 4 * kRows;
  const std::uint64_t sizes[] = {large, row, row, large, column, column};
  const auto at = place_buffers(gpu_->address_range(), sizes);
  TimeRequest request;
  request.modules.push_back({kPtx, {}});
  request.sets = {{{"x", at[0], large, x},
                   {"scale", at[1], row, ones},
                   {"bias", at[2], row, ones},
                   {"out", at[3], large, {}},
                   {"mean", at[4], column, {}},
                   {"rstd", at[5], column, {}}}};
  const auto in = BufferUse::input, out = BufferUse::output;
  request.uses = {in, in, in, out, out, out};
  request.min_bytes = 2 * large;
  request.seconds = 0.1;
  LaunchOp nothing{"scaled", {1, 1, 1}, {32, 1, 1}, 0, false, {}};
  append(nothing.arguments, at[3]);
  append(nothing.arguments, at[0]);
  append(nothing.arguments, std::uint32_t{0});
  request.variants = {{"nothing", 0, {{{nothing}}}}};
  for (const bool rms : {false, true}) {
    request.norm = {rms, !rms, 0, 1, 2, 3, 4, 5, kRows, kColumns, 1e-5f};
    const auto reply = gpu_->time(request);
    ASSERT_TRUE(reply.ok()) << reply.error().what;
    if (reply->baselines.empty()) GTEST_SKIP() << "skipped: no cuDNN";
    const VariantTimes& library = reply->baselines[0];
    EXPECT_EQ(library.name, rms ? "cuDNN RMSNorm" : "cuDNN LayerNorm");
    for (std::uint64_t r = 0; r < kRows; ++r) {
      double sum = 0, squares = 0;
      for (std::uint64_t c = 0; c < kColumns; ++c) {
        const double v = value(x, r * kColumns + c);
        sum += v, squares += v * v;
      }
      const double mean = rms ? 0 : sum / kColumns;
      const double rstd = 1 / std::sqrt(squares / kColumns - mean * mean + 1e-5);
      if (!rms) {
        EXPECT_NEAR(value(library.outputs[4], r), mean, 1e-5);
        EXPECT_NEAR(value(library.outputs[5], r), rstd, 1e-5);
      }
      for (std::uint64_t c = 0; c < kColumns; ++c) {
        const std::uint64_t i = r * kColumns + c;
        ASSERT_NEAR(value(library.outputs[3], i), (value(x, i) - mean) * rstd + (rms ? 0 : 1), 1e-5) << i;
      }
    }
  }
}

TEST_F(Hardware, TimesVariantsAgainstEachOther) {
  TimeRequest request;
  request.modules.push_back({kPtx, {}});
  constexpr std::uint32_t kLarge = 16 << 20;
  std::vector<std::byte> contents;
  for (std::uint32_t i = 0; i < kLarge; ++i) append(contents, static_cast<float>(i % 1000));
  TimedVariant once{"once", 0, {}}, twice{"twice", 0, {}};
  DeviceAddress at = gpu_->address_range().begin + (64 << 20);
  for (int set = 0; set < 4; ++set) {
    std::vector<Buffer> buffers{{"in", at, 4ull * kLarge, {}},
                                {"out", at + 4ull * kLarge, 4ull * kLarge, {}}};
    at += 8ull * kLarge;
    if (set == 0) buffers[0].contents = contents;
    LaunchOp launch{"scaled", {kLarge / 256, 1, 1}, {256, 1, 1}, 0, false, {}};
    append(launch.arguments, buffers[1].address);
    append(launch.arguments, buffers[0].address);
    append(launch.arguments, kLarge);
    once.plans.push_back({{launch}});
    twice.plans.push_back({{launch, launch}});
    request.sets.push_back(std::move(buffers));
  }
  request.variants = {once, twice};
  request.uses = {BufferUse::input, BufferUse::output};
  request.min_bytes = 8ull * kLarge;
  const auto reply = gpu_->time(request);
  ASSERT_TRUE(reply.ok()) << reply.error().what;
  ASSERT_EQ(reply->variants.size(), 2u);
  ASSERT_GE(reply->variants[0].graph.size(), 3u);
  EXPECT_EQ(reply->variants[0].graph.size(), reply->copy.graph.size());
  EXPECT_EQ(reply->variants[0].outputs[1], contents);
  EXPECT_EQ(reply->variants[1].operations.size(), 2u);
  const auto middle = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  const double one = middle(reply->variants[0].graph), two = middle(reply->variants[1].graph);
  EXPECT_GT(one, 8.0 * kLarge / gpu_->info().dram_bytes_per_second);
  EXPECT_NEAR(two / one, 2.0, 0.4);
  EXPECT_NEAR(middle(reply->variants[0].cold) / one, 1.0, 0.5);
  std::printf(
      "[ measured ] %s: once %.2f us graph, %.2f us cold, %.2f us alone; copy %.2f us (%s); large copy "
      "%.0f GB/s (%s); %u runs a graph, SM clock %.0f MHz, %u dropped, times by %s\n",
      gpu_->description().c_str(), 1e6 * one, 1e6 * middle(reply->variants[0].cold),
      1e6 * reply->variants[0].operations[0], 1e6 * middle(reply->copy.graph), reply->copy.name.c_str(),
      1e-9 * reply->large_copy_bytes / middle(reply->large_copy.graph), reply->large_copy.name.c_str(),
      reply->runs_per_graph, 1e-6 * reply->sm_clock_hz, reply->dropped, gpu_->info().kernel_times.c_str());
}

}  // namespace
}  // namespace fusebox::gpu
