#include "grader/simulator/plan/stream_races.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kHost = OpOrder::kHost;
constexpr std::uint64_t kBuffer = 0x7000'0000'0000;

LaunchPlan plan_of(std::vector<OpOrder> order) {
  LaunchPlan plan;
  plan.ops.resize(order.size(), MemsetOp{kBuffer, 4, 0});
  plan.order = std::move(order);
  return plan;
}

TEST(StreamRaces, UnorderedIsWhatNeitherStreamsNorEventsOrder) {
  struct Row {
    const char* what;
    std::vector<OpOrder> order;
    std::vector<std::vector<std::uint32_t>> unordered;
  };
  using Lists = std::vector<std::vector<std::uint32_t>>;
  const Row rows[] = {
      {"one stream", {{1, {}}, {1, {}}}, Lists{{}, {}}},
      {"two streams", {{1, {}}, {2, {}}}, Lists{{}, {0}}},
      {"an event between", {{1, {}}, {2, {0}}}, Lists{{}, {}}},
      {"an event, and more behind it", {{1, {}}, {1, {}}, {2, {0}}, {2, {}}}, Lists{{}, {}, {1}, {1}}},
      {"a chain over three streams", {{1, {}}, {2, {0}}, {3, {1}}}, Lists{{}, {}, {}}},
      {"there and back", {{1, {}}, {2, {0}}, {1, {}}, {1, {1}}}, Lists{{}, {}, {1}, {}}},
      {"the host's own", {{kHost, {}}, {1, {}}, {kHost, {}}, {2, {}}}, Lists{{}, {}, {}, {1}}},
      {"no streams", {}, Lists{}},
  };
  for (const Row& row : rows) EXPECT_EQ(unordered_ops(plan_of(row.order)), row.unordered) << row.what;
}

TEST(StreamRaces, ToldByBothNamesAndTheBuffer) {
  const std::vector<NamedRange> buffers = {{"middle", kBuffer, 64}};
  LaunchPlan plan = plan_of({{1, {}}, {2, {}}, {1, {}}, {1, {1}}});
  plan.done_for_the_caller = {3};
  StreamRaces races(plan);
  const AccessKind kinds[] = {AccessKind::store, AccessKind::load, AccessKind::load, AccessKind::store};
  const char* names[] = {"`first`", "`second`", "`third`", "`fourth`"};
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < 4; ++i) {
    if (BytesTouched* touched = races.touched_by(i)) touched->add(kinds[i], kBuffer + 8, 4);
    for (Fault& fault : races.done(i, names[i], buffers)) faults.push_back(std::move(fault));
  }
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, "race-streams");
  EXPECT_EQ(faults[0].between, "streams");
  EXPECT_EQ(faults[0].what, "race: `first` and `second` run on streams that nothing orders");
  EXPECT_EQ(faults[0].where, "`first` writes `middle`, which `second` reads");
  EXPECT_EQ(races.touched_by(3), nullptr) << "in order with all";
}

TEST(StreamRaces, WhatWritesATensorIsWaitedForBeforeTheFunctionReturns) {
  const std::vector<NamedRange> tensors = {{"in", kBuffer + 128, 64}, {"out", kBuffer, 64}};
  const auto left = [&](std::vector<std::uint32_t> done, std::uint64_t stored) {
    LaunchPlan plan = plan_of({{0, {}}, {2, {0}}});
    plan.done_for_the_caller = std::move(done);
    StreamRaces races(plan);
    for (std::size_t i = 0; i < 2; ++i) {
      if (BytesTouched* touched = races.touched_by(i)) touched->add(AccessKind::store, stored, 4);
      EXPECT_TRUE(races.done(i, i == 0 ? "`first`" : "`second`", tensors).empty());
    }
    return races.returned(tensors);
  };
  const std::vector<Fault> faults = left({}, kBuffer + 8);
  ASSERT_EQ(faults.size(), 1u) << "the default stream's own comes before what the caller does there";
  EXPECT_EQ(faults[0].kind, "race-streams");
  EXPECT_EQ(faults[0].what, "race: `second` may still be running when the function has returned");
  EXPECT_EQ(faults[0].where,
            "and it writes `out`: neither the host nor the default stream waits for its stream");
  EXPECT_TRUE(left({1}, kBuffer + 8).empty()) << "waited for";
  EXPECT_TRUE(left({}, kBuffer + 512).empty()) << "memory of its own";
}

}  // namespace
}  // namespace fusebox::sim
