#include "grader/simulator/plan/plan_limits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "grader/simulator/simulator.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kMax = 1'000'000;

// `turns` turns of two instructions.
const char* const kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry spin(.param .u32 turns) {
  .reg .pred %p; .reg .u32 %r<3>;
  ld.param.u32 %r1, [turns];
AGAIN:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra AGAIN;
  ret;
}
)";

LaunchOp spin(std::uint32_t turns) {
  LaunchOp op{"spin", {1, 1, 1}, {32, 1, 1}, 0, false, std::vector<std::byte>(4)};
  std::memcpy(op.arguments.data(), &turns, sizeof turns);
  return op;
}

class PlanLimitsTest : public testing::Test {
 protected:
  fusebox::Run run(const std::vector<PlanOp>& ops, const PlanLimits& limits, std::uint64_t most = kMax) {
    ExecuteOptions options;
    options.max_warp_instructions = most;
    options.plan = limits;
    ModuleImage module;
    module.ptx = kPtx;
    LaunchPlan plan;
    plan.ops = ops;
    auto result = simulator_.execute(plan, module, {}, options);
    EXPECT_TRUE(result) << result.error().what;
    return result ? *result : fusebox::Run{};
  }
  DeviceAddress at(std::uint64_t offset) const { return simulator_.address_range().begin + offset; }

  Simulator simulator_{small_gpu(1)};
};

std::string kinds(const Run& run) {
  std::string all;
  for (const LaunchRecord& launch : run.launches)
    for (const Fault& fault : launch.faults) all += fault.kind + " ";
  for (const Fault& fault : run.faults) all += fault.kind + " ";
  return all;
}

TEST_F(PlanLimitsTest, APlanEndsWhereItsLimitIs) {
  const std::uint64_t mib = 1 << 20;
  const PlanLimits work{2 * kMax, 0, 0}, memory{0, 8 * mib, 0}, both{2 * kMax, 64 * mib, 0};
  const std::vector<PlanOp> fills{AllocOp{at(0), mib}, MemsetOp{at(0), mib, 1}};
  std::vector<PlanOp> many_fills = fills, many_allocs;
  many_fills.resize(20'000, fills[1]);
  for (std::uint64_t i = 0; i < 20'000; ++i) many_allocs.emplace_back(AllocOp{at(i * 8192), 64});
  const std::uint32_t nearly = kMax / 3 - 10;  // three instructions a turn
  const struct {
    const char* what;
    std::vector<PlanOp> ops;
    PlanLimits limits;
    const char* kinds;
    std::size_t launches;
  } cases[] = {
      {"launches within it", {spin(nearly), spin(100)}, work, "", 2},
      {"launches just below their own", std::vector<PlanOp>(400, spin(nearly)), work, "work-limit ", 2},
      {"the same without one", std::vector<PlanOp>(4, spin(nearly)), {}, "", 4},
      {"a launch beyond its own", {spin(kMax)}, work, "endless-loop ", 1},
      {"empty launches", std::vector<PlanOp>(4000, spin(1)), work, "work-limit ", 199},
      {"one memset", fills, both, "", 0},
      {"many", many_fills, both, "work-limit ", 0},
      {"as much memory as there may be", {AllocOp{at(0), 8 * mib}}, memory, "", 0},
      {"too much", {AllocOp{at(0), 3ull << 30}}, memory, "memory-limit ", 0},
      {"too much in pieces",
       {AllocOp{at(0), 5 * mib}, FreeOp{at(0)}, AllocOp{at(16 * mib), 5 * mib}},
       memory,
       "memory-limit ",
       0},
      {"too many pieces", many_allocs, {0, 64 * mib, 0}, "memory-limit ", 0},
  };
  for (const auto& c : cases) {
    const fusebox::Run done = run(c.ops, c.limits);
    EXPECT_EQ(kinds(done), c.kinds) << c.what;
    if (done.launches.size() > c.launches || done.launches.size() + 1 < c.launches)
      ADD_FAILURE() << c.what << ": " << done.launches.size() << " launches";
  }
}

// The net below the limits that are counted. This launch would take minutes.
TEST_F(PlanLimitsTest, TheClockStopsWhatNothingElseDoes) {
  const fusebox::Run done = run({spin(0), spin(1)}, {0, 0, 0.05}, std::uint64_t{1} << 50);
  EXPECT_EQ(kinds(done), "time-limit ");
  EXPECT_EQ(done.launches.size(), 1u);
}

}  // namespace
}  // namespace fusebox::sim
