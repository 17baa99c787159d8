// A plan may come from a process that nobody trusts, or have been changed to try something: the device
// refuses what the runtime refuses, in the same words.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/device/launch_limits.h"
#include "grader/simulator/simulator.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr int kRegisters = 255;

const char* const kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
)";

struct Row {
  LaunchOp op;
  const char* reason;  ///< empty: it runs
};

LaunchOp op(const char* kernel, Dim3 grid, Dim3 block, std::uint32_t shared = 0, Dim3 cluster = {}) {
  return {kernel, grid, block, shared, false, {}, cluster};
}

TEST(LaunchRefusals, TheDeviceRefusesWhatTheRuntimeRefuses) {
  const Row rows[] = {
      {op("nothing", {1, 1, 1}, {32, 1, 1}), ""},
      {op("nothing", {1, 1, 1}, {256, 1, 1}), ""},
      // 65,535 registers in all; but they are handed out to whole warps, and those to four schedulers.
      {op("nothing", {1, 1, 1}, {257, 1, 1}), "a block has 257 threads, but its registers suffice for 256"},
      {op("bounded", {1, 1, 1}, {65, 1, 1}),
       "a block has 65 threads, but the kernel's __launch_bounds__ allow 64"},
      {op("nothing", {1, 1, 0}, {32, 1, 1}), "the grid's z is 0, but must be at least 1"},
      {op("nothing", {1, 65536, 1}, {32, 1, 1}), "the grid's y is 65536, but the limit is 65535"},
      {op("nothing", {1, 1, 1}, {1, 1, 65}), "the block's z is 65, but the limit is 64"},
      {op("nothing", {1, 1, 1}, {32, 33, 1}), "a block has 1056 threads, but the limit is 1024"},
      {op("nothing", {1, 1, 1}, {32, 1, 1}, 49152), ""},
      {op("nothing", {1, 1, 1}, {32, 1, 1}, 49153),
       "a block asks for 49153 bytes of shared memory, but the limit is 49152"},
      {op("nothing", {32, 1, 1}, {32, 1, 1}, 0, {16, 1, 1}), ""},
      {op("nothing", {34, 1, 1}, {32, 1, 1}, 0, {17, 1, 1}),
       "a cluster of 17 x 1 x 1 blocks, but the limit is 16"},
      {op("nothing", {6, 1, 1}, {32, 1, 1}, 0, {4, 1, 1}),
       "the grid is no multiple of its clusters of 4 x 1 x 1 blocks"},
  };
  GpuProfile gpu = small_gpu(1);
  Simulator simulator(gpu);
  ModuleImage module;
  module.ptx = kPtx;
  for (const char* kernel : {"nothing", "bounded"}) module.resources.push_back({kernel, kRegisters, 0, 0});
  for (const Row& row : rows) {
    LaunchPlan plan;
    plan.ops = {row.op};
    const auto run = simulator.execute(plan, module, {}, {});
    ASSERT_TRUE(run) << run.error().what;
    ASSERT_EQ(run->launches.size(), 1u) << row.reason;
    std::string told;
    for (const Fault& fault : run->launches[0].faults) told += fault.kind + ": " + fault.what;
    const std::string reason = row.reason;
    EXPECT_EQ(told, reason.empty() ? "" : "bad-launch: the launch was refused: " + reason);

    KernelParameters kernel;
    kernel.registers = kRegisters;
    kernel.max_threads = row.op.kernel == "bounded" ? 64 : 0;
    LaunchShape shape{row.op.grid, row.op.block, row.op.dynamic_shared_bytes, 49152};
    shape.cluster = row.op.cluster;
    shape.large_clusters = true;
    const auto refusal = check_launch(gpu, kernel, shape);
    EXPECT_EQ(refusal ? refusal->reason : "", reason);
  }
}

}  // namespace
}  // namespace fusebox::sim
