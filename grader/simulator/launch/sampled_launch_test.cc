// Some of a launch's blocks must tell what all of them do, or all of them are run.

#include "grader/simulator/launch/sampled_launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "grader/simulator/simulator.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kLaunchBlocks = 8192, kBlockThreads = 64;
constexpr std::uint64_t kLaunchBytes = std::uint64_t{kLaunchBlocks} * kBlockThreads * 4;

struct Sampled {
  const char* name;
  /// What it does: %rd2 and %rd3 are this thread's words in `in` and `out`, %rd4 one in a small table; %r1 is
  /// the block, %r3 the thread, %r4 the thread of the launch.
  const char* body;
  bool sampled;  ///< do some blocks tell it?
};

const Sampled kSampledKernels[] = {
    {"copy", "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd3], %r5;", true},
    {"writes", "st.global.u32 [%rd3], %r4;", true},
    {"reads_a_table",
     "ld.global.u32 %r5, [%rd2]; ld.global.u32 %r6, [%rd4]; add.u32 %r5, %r5, %r6; "
     "st.global.u32 [%rd3], %r5;",
     true},
    {"last_block_has_less",
     "setp.ge.u32 %p1, %r4, 524270; @%p1 bra DONE; ld.global.u32 %r5, [%rd2]; "
     "st.global.u32 [%rd3], %r5; DONE:",
     true},
    {"every_fourth_block_has_less",
     "and.b32 %r6, %r1, 3; setp.eq.u32 %p1, %r6, 3; @%p1 bra DONE; "
     "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd3], %r5; DONE:",
     true},
    {"every_seventh_block_has_less",
     "rem.u32 %r6, %r1, 7; setp.eq.u32 %p1, %r6, 6; @%p1 bra DONE; "
     "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd3], %r5; DONE:",
     false},
    {"later_blocks_do_more",
     "ld.global.u32 %r5, [%rd2]; setp.lt.u32 %p1, %r1, 5000; @%p1 bra DONE; "
     "st.global.u32 [%rd3], %r5; DONE:",
     false},
    {"both_halves_read_the_first",
     "and.b32 %r6, %r4, 262143; mul.wide.u32 %rd5, %r6, 4; add.u64 %rd5, %rd1, %rd5; "
     "ld.global.u32 %r5, [%rd5]; st.global.u32 [%rd3], %r5;",
     false},
    {"counts", "red.global.add.u32 [%rd1], 1; st.global.u32 [%rd3], %r4;", false},
    {"looks_at_values",
     "ld.global.u32 %r5, [%rd2]; setp.lt.u32 %p1, %r5, 1000000; @%p1 bra DONE; "
     "st.global.u32 [%rd3], %r5; DONE:",
     true},
};

std::string text_of_kernels() {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n";
  for (const Sampled& kernel : kSampledKernels)
    text += std::string(".visible .entry ") + kernel.name +
            "(.param .u64 in, .param .u64 out, .param .u64 table) {\n"
            ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
            "ld.param.u64 %rd1, [in]; ld.param.u64 %rd6, [out]; ld.param.u64 %rd7, [table];\n"
            "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
            "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd2, %rd1, %rd5;\n"
            "add.u64 %rd3, %rd6, %rd5; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd4, %rd7, %rd5;\n" +
            kernel.body + "\nret;\n}\n";
  return text;
}

GpuProfile sampled_gpu() {
  GpuProfile gpu = small_gpu(16);
  gpu.l2_bytes = gpu.l2_effective_bytes = 1 << 20;
  return gpu;
}

Result<Run> run_one(Simulator& simulator, const std::string& text, std::vector<const char*> kernels,
                    unsigned share) {
  const std::uint64_t sizes[] = {kLaunchBytes, kLaunchBytes, 4096};
  const auto addresses = place_buffers(simulator.address_range(), sizes);
  std::vector<std::byte> values(4096);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i * 37 % 128 / 4);
  const std::vector<Buffer> buffers{{"in", addresses[0], kLaunchBytes, values},
                                    {"out", addresses[1], kLaunchBytes, {}},
                                    {"table", addresses[2], 4096, values}};
  LaunchPlan plan;
  for (const char* kernel : kernels) {
    LaunchOp op{kernel, {kLaunchBlocks, 1, 1}, {kBlockThreads, 1, 1}, 0, false, {}};
    op.arguments.resize(24);
    std::memcpy(op.arguments.data(), addresses.data(), 24);
    plan.ops.emplace_back(op);
  }
  ExecuteOptions options;
  options.numbers_only = options.model = true;
  options.share = share;
  return simulator.execute(plan, {text, {}, {}}, buffers, options);
}

double dram_bytes(const Run& run) {
  double sum = static_cast<double>(run.left_in_l2_bytes);
  for (const LaunchRecord& launch : run.launches)
    sum += static_cast<double>(launch.model->dram_read_bytes + launch.model->dram_write_bytes);
  return sum;
}

void expect_same(const Run& whole, const Run& some) {
  ASSERT_EQ(whole.launches.size(), some.launches.size());
  for (std::size_t i = 0; i < whole.launches.size(); ++i) {
    const LaunchRecord &a = whole.launches[i], &b = some.launches[i];
    EXPECT_TRUE(a.counters == b.counters) << a.kernel;
    EXPECT_TRUE(a.tensors == b.tensors) << a.kernel;
    EXPECT_TRUE(a.lines == b.lines) << a.kernel;
    EXPECT_DOUBLE_EQ(a.issue_slots, b.issue_slots) << a.kernel;
    EXPECT_DOUBLE_EQ(a.unit_cycles.products, b.unit_cycles.products) << a.kernel;
    EXPECT_GT(a.unit_cycles.products, 0) << a.kernel << " multiplies for its addresses";
    EXPECT_NEAR(a.model->seconds, b.model->seconds, 0.02 * a.model->seconds) << a.kernel;
  }
  EXPECT_NEAR(dram_bytes(some), dram_bytes(whole), 0.02 * dram_bytes(whole));
}

TEST(SampledLaunch, SomeBlocksTellWhatAllOfThemDoOrAllAreRun) {
  const std::string text = text_of_kernels();
  Simulator simulator(sampled_gpu(), 2);
  for (const Sampled& kernel : kSampledKernels) {
    SCOPED_TRACE(kernel.name);
    const auto whole = run_one(simulator, text, {kernel.name}, 1),
               some = run_one(simulator, text, {kernel.name}, 8);
    ASSERT_TRUE(whole) << whole.error().what;
    ASSERT_TRUE(some) << some.error().what;
    EXPECT_EQ(whole->blocks_run, kLaunchBlocks);
    if (kernel.sampled)
      EXPECT_LT(some->blocks_run, kLaunchBlocks / 4);
    else
      EXPECT_EQ(some->blocks_run, kLaunchBlocks);
    expect_same(*whole, *some);
  }
}

TEST(SampledLaunch, TheNextLaunchFindsTheL2AsTheWholeOneLeavesIt) {
  const std::string text = text_of_kernels();
  Simulator simulator(sampled_gpu(), 2);
  const std::vector<const char*> kernels{"copy", "writes", "copy"};
  const auto whole = run_one(simulator, text, kernels, 1), some = run_one(simulator, text, kernels, 8);
  ASSERT_TRUE(whole && some);
  EXPECT_LT(some->blocks_run, 3 * kLaunchBlocks / 4);
  expect_same(*whole, *some);
}

TEST(SampledLaunch, OneLaunchThatDoesNotTellLeavesTheWholePlanToBeRun) {
  const std::string text = text_of_kernels();
  Simulator simulator(sampled_gpu(), 2);
  const std::vector<const char*> kernels{"copy", "later_blocks_do_more"};
  const auto whole = run_one(simulator, text, kernels, 1), some = run_one(simulator, text, kernels, 8);
  ASSERT_TRUE(whole && some);
  EXPECT_EQ(some->blocks_run, 2 * kLaunchBlocks);
  expect_same(*whole, *some);
}

}  // namespace
}  // namespace fusebox::sim
