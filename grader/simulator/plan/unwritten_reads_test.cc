#include <gtest/gtest.h>

#include <cstring>

#include "grader/simulator/simulator.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

// set: to[thread] = 1; get: to[thread] = from[thread]; add: to[thread] += 1
constexpr const char* kReadsUnwritten = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry set(.param .u64 to) {
  .reg .b64 %a; .reg .b64 %i; .reg .b32 %t;
  ld.param.u64 %a, [to];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %i, %t, 4;
  add.s64 %a, %a, %i;
  st.global.u32 [%a], 1;
  ret;
}
.visible .entry get(.param .u64 to, .param .u64 from) {
  .reg .b64 %a, %b, %i; .reg .b32 %t, %v;
  ld.param.u64 %a, [to];
  ld.param.u64 %b, [from];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %i, %t, 4;
  add.s64 %a, %a, %i;
  add.s64 %b, %b, %i;
  ld.global.u32 %v, [%b];
  st.global.u32 [%a], %v;
  ret;
}
)";

class PlanFaults : public testing::Test {
 protected:
  PlanFaults() : simulator(small_gpu(1)), base(simulator.address_range().begin + 4096) {
    middle = base + 8192;
    plan.ops.push_back(AllocOp{middle, 256});
  }
  std::string ptx = kReadsUnwritten;
  void launch(const std::string& kernel, std::uint32_t threads, std::vector<std::uint64_t> arguments) {
    LaunchOp op;
    op.kernel = kernel;
    op.block = {threads, 1, 1};
    op.arguments.resize(8 * arguments.size());
    std::memcpy(op.arguments.data(), arguments.data(), op.arguments.size());
    plan.ops.push_back(op);
  }
  fusebox::Run run() {
    ModuleImage module;
    module.ptx = ptx;
    ExecuteOptions options;
    options.intermediate_names = {"middle"};
    const auto result = simulator.execute(plan, module, std::vector<Buffer>{{"out", base, 256, {}}}, options);
    EXPECT_TRUE(result) << result.error().what;
    return result ? *result : fusebox::Run{};
  }

  Simulator simulator;
  DeviceAddress base, middle = 0;
  LaunchPlan plan;
};

TEST_F(PlanFaults, WhatWasReadTooEarlyNamesItsWriter) {
  launch("get", 64, {base, middle});
  launch("set", 64, {middle});
  const fusebox::Run ran = run();
  ASSERT_EQ(ran.launches.size(), 2u);
  ASSERT_EQ(ran.launches[0].faults.size(), 1u);
  EXPECT_EQ(ran.launches[0].faults[0].where,
            "at byte 0 of `middle` (256 bytes), which `set` writes only later");
  EXPECT_EQ(ran.launches[0].faults[0].hint, "Let `set` come before this launch.");
}

TEST_F(PlanFaults, WhatNobodyWritesIsSaidToBeThat) {
  launch("set", 32, {middle});
  launch("get", 64, {base, middle});
  const fusebox::Run ran = run();
  ASSERT_EQ(ran.launches[1].faults.size(), 1u);
  EXPECT_EQ(
      ran.launches[1].faults[0].where,
      "at byte 128 of `middle` (256 bytes), which nothing ever writes (128 of the 256 bytes of `middle` are "
      "written)");
  EXPECT_EQ(ran.launches[1].faults[0].hint.find("cudaMalloc leaves memory undefined"), 0u);
}

TEST_F(PlanFaults, WhatNobodyWroteBeforeItWasFreedIsSaidToBeThat) {
  launch("set", 32, {middle});
  launch("get", 64, {base, middle});
  plan.ops.emplace_back(FreeOp{middle});
  const fusebox::Run ran = run();
  ASSERT_EQ(ran.launches[1].faults.size(), 1u);
  EXPECT_NE(ran.launches[1].faults[0].where.find(", which nothing ever writes (128 of the 256 bytes"),
            std::string::npos)
      << ran.launches[1].faults[0].where;
}

TEST_F(PlanFaults, WhatALaunchReadsBeforeItWritesIt) {
  launch("get", 64, {base, base});
  const fusebox::Run ran = run();
  ASSERT_EQ(ran.launches[0].faults.size(), 1u);
  EXPECT_EQ(ran.launches[0].faults[0].where,
            "at byte 0 of `out` (256 bytes), which this launch itself writes, but only later");
  EXPECT_EQ(ran.launches[0].faults[0].hint.find("It holds nothing before the call"), 0u);
}

TEST_F(PlanFaults, StreamsThatNothingOrdersRace) {
  struct Row {
    const char* what;
    std::vector<OpOrder> order;
    std::size_t faults;
  };
  const Row rows[] = {
      {"no streams", {}, 0},
      {"two streams", {{OpOrder::kHost, {}}, {1, {}}, {2, {}}}, 1},
      {"an event", {{OpOrder::kHost, {}}, {1, {}}, {2, {1}}}, 0},
      {"one stream", {{OpOrder::kHost, {}}, {1, {}}, {1, {}}}, 0},
  };
  launch("set", 64, {middle});
  launch("get", 64, {base, middle});
  plan.done_for_the_caller = {1, 2};
  for (const Row& row : rows) {
    plan.order = row.order;
    const fusebox::Run ran = run();
    ASSERT_EQ(ran.faults.size(), row.faults) << row.what;
    if (row.faults == 0) continue;
    EXPECT_EQ(ran.faults[0].kind, "race-streams");
    EXPECT_EQ(ran.faults[0].what, "race: `set` and `get` run on streams that nothing orders");
    EXPECT_EQ(ran.faults[0].where, "`set` writes `middle`, which `get` reads");
  }
  // The function returns and nobody waits.
  plan.order = rows[3].order;
  plan.done_for_the_caller = {};
  fusebox::Run ran = run();
  ASSERT_EQ(ran.faults.size(), 1u);
  EXPECT_EQ(ran.faults[0].what, "race: `get` may still be running when the function has returned");
  // A kernel in a namespace without a name has a name.
  const std::string mangled = "_ZN40_GLOBAL__N__1f93f06c_8_fixed_cu_d2794d2e3setEPf";
  ptx.replace(ptx.find("set("), 3, mangled);
  std::get<LaunchOp>(plan.ops[1]).kernel = mangled;
  plan.order = rows[1].order;
  plan.done_for_the_caller = {1, 2};
  ran = run();
  ASSERT_EQ(ran.faults.size(), 1u);
  EXPECT_EQ(ran.faults[0].where, "`set` writes `middle`, which `get` reads");
}

TEST_F(PlanFaults, SizesCountedInElementsAreToldAsThat) {
  plan.ops[0] = AllocOp{middle, 64};
  launch("set", 64, {middle});
  const fusebox::Run ran = run();
  ASSERT_EQ(ran.launches[0].faults.size(), 1u);
  EXPECT_EQ(
      ran.launches[0].faults[0].where,
      "`middle` was allocated with 64 bytes, and 64 elements of 4 bytes need 256: was the size counted in "
      "elements?");
}

TEST_F(PlanFaults, AHostAddressIsToldAsThat) {
  launch("get", 32, {base, 0x7fff'0000'1000});
  const fusebox::Run ran = run();
  ASSERT_FALSE(ran.launches[0].faults.empty());
  EXPECT_EQ(ran.launches[0].faults[0].kind, "host-address");
  EXPECT_EQ(ran.launches[0].faults[0].where, "parameter 2 of the kernel points to no memory of the device");
}

}  // namespace
}  // namespace fusebox::sim
