#include "grader/judge/budgets/ledger.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

LaunchRecord record(std::vector<TensorTraffic> tensors) {
  LaunchRecord r;
  r.tensors = std::move(tensors);
  return r;
}

TEST(Ledger, SumsAreExactOverLaunches) {
  const std::vector<LaunchRecord> launches{
      record({{"x", 128, 256, 0, 128, 0}, {"normalized", 128, 0, 128, 0, 128}}),
      record({{"normalized", 128, 512, 0, 128, 0}, {"out", 64, 0, 64, 0, 64}})};
  const auto ledger = ledger_of(launches);
  ASSERT_EQ(ledger.size(), 3u);
  EXPECT_EQ(ledger[0].tensor, "x");
  EXPECT_EQ(ledger[1], (TensorTraffic{"normalized", 128, 512, 128, 128, 128}));
  EXPECT_EQ(ledger[2], (TensorTraffic{"out", 64, 0, 64, 0, 64}));
}

TEST(Ledger, FusionSaysWhatGoesAway) {
  const std::vector<TensorTraffic> before{
      {"x", 128, 128, 0, 128, 0}, {"normalized", 128, 128, 128, 128, 128}, {"W", 64, 128, 0, 128, 0}};
  const std::vector<TensorTraffic> after{
      {"x", 128, 256, 0, 128, 0}, {"W", 64, 64, 0, 64, 0}, {"stats", 8, 32, 0, 32, 0}};
  const auto lines = fusion_ledger(before, after);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].remark, "");
  EXPECT_EQ(lines[1].tensor, "normalized");
  EXPECT_FALSE(lines[1].after);
  EXPECT_EQ(lines[1].remark, "fused away");
  EXPECT_EQ(lines[2].remark, "fewer passes");
  EXPECT_EQ(lines[3].tensor, "stats");
  EXPECT_FALSE(lines[3].before);
}

TEST(Ledger, Passes) {
  EXPECT_EQ(passes(0, 128), "-");
  EXPECT_EQ(passes(128, 128), "1x");
  EXPECT_EQ(passes(384, 128), "3x");
  EXPECT_EQ(passes(64, 128), "0.5x");
  EXPECT_EQ(passes(32, 20), "1x") << "a tensor of 20 bytes is one sector";
}

TEST(Operations, CopiesAndMemsetsStandWhereTheyHappen) {
  LaunchPlan plan;
  plan.ops.push_back(AllocOp{0x10000, 256});
  plan.ops.push_back(MemsetOp{0x10000, 256, 0});
  plan.ops.push_back(LaunchOp{});
  plan.ops.push_back(CopyOp{.to = 0x2010, .from = 0x10000, .bytes = 64, .symbol = "", .host_bytes = {}});
  fusebox::Run run;
  run.launches.push_back(record({}));
  run.launches[0].kernel = "k";
  const std::vector<Buffer> buffers{{"out", 0x2000, 128, {}}};
  const std::vector<std::string> names{"partial"};
  const auto records = operations_of(plan, run, buffers, names);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].kernel, "memset");
  EXPECT_EQ(records[0].counters.compulsory_write_bytes, 256u);
  EXPECT_EQ(records[0].tensors[0].tensor, "partial");
  EXPECT_EQ(records[1].kernel, "k");
  EXPECT_EQ(records[2].counters.compulsory_read_bytes, 64u);
  EXPECT_EQ(records[2].counters.compulsory_write_bytes, 96u)
      << "64 bytes from the middle of a sector touch three";
  EXPECT_EQ(records[2].tensors.size(), 2u);
}

TEST(Operations, NothingFollowsALaunchThatDidNotHappen) {
  LaunchPlan plan;
  plan.ops.push_back(LaunchOp{});
  plan.ops.push_back(MemsetOp{0x10000, 256, 0});
  EXPECT_TRUE(operations_of(plan, fusebox::Run{}, {}, {}).empty());
}

}  // namespace
}  // namespace fusebox
