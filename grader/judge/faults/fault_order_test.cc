#include "grader/judge/faults/fault_order.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

struct Seen {
  const char* kind;
  std::size_t launch = 0;
  const char* between = "";
};

struct Row {
  const char* why;
  std::vector<Seen> seen;
  std::vector<const char*> told;  ///< kinds, or what a race is between
};

std::vector<Fault> faults_of(const Row& row) {
  std::vector<Fault> faults;
  for (const Seen& seen : row.seen) {
    Fault& fault = faults.emplace_back();
    fault.kind = seen.kind;
    fault.between = seen.between;
  }
  return faults;
}

TEST(FaultOrder, CausesComeBeforeWhatFollowsFromThem) {
  const Row rows[] = {
      {"what races behind a barrier that not all reach, races for that",
       {{"race-shared"}, {"barrier-divergence"}},
       {"barrier-divergence", "race-shared"}},
      {"a wrong mask splits the warp, which then comes to barriers in parts",
       {{"barrier-divergence"}, {"race-shared"}, {"bad-mask"}},
       {"bad-mask", "barrier-divergence", "race-shared"}},
      {"who left before the barrier also misses the shuffle before it",
       {{"missing-lanes"}, {"barrier-divergence"}},
       {"barrier-divergence", "missing-lanes"}},
      {"read before another thread of the block stored: nothing made it wait",
       {{"uninitialised-read"}, {"race-shared"}},
       {"race-shared", "uninitialised-read"}},
      {"a wait for those who wait elsewhere",
       {{"endless-loop"}, {"barrier-divergence"}},
       {"barrier-divergence", "endless-loop"}},
      {"an index that is off", {{"race-global"}, {"out-of-bounds"}}, {"out-of-bounds", "race-global"}},
      {"an address that the kernel was given",
       {{"uninitialised-read"}, {"out-of-bounds"}, {"host-address"}},
       {"host-address", "out-of-bounds", "uninitialised-read"}},
      {"what the first launch left undone, the second one misses",
       {{"uninitialised-read", 1}, {"race-shared", 0}, {"barrier-divergence", 1}},
       {"race-shared", "barrier-divergence", "uninitialised-read"}},
      {"two streams", {{"uninitialised-read"}, {"race-streams"}}, {"race-streams", "uninitialised-read"}},
      {"the small case has one warp",
       {{"race-shared", 0, "lanes"}, {"race-shared", 0, "warps"}},
       {"warps", "lanes"}},
      {"a remark explains nothing",
       {{"race-same-value", 0, "blocks"}, {"uninitialised-read", 1}},
       {"uninitialised-read", "blocks"}},
      {"alike: as they were seen", {{"misaligned"}, {"out-of-bounds"}}, {"misaligned", "out-of-bounds"}},
      {"a kind of a GPU",
       {{"trap"}, {"illegal-address"}, {"bad-launch"}},
       {"bad-launch", "illegal-address", "trap"}},
  };
  for (const Row& row : rows) {
    const std::vector<Fault> faults = faults_of(row);
    std::vector<FaultSeen> seen;
    for (std::size_t i = 0; i < faults.size(); ++i) seen.push_back({"case", row.seen[i].launch, &faults[i]});
    const std::vector<FaultSeen> ordered = in_order_of_cause(seen);
    ASSERT_EQ(ordered.size(), row.told.size()) << row.why;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      const Fault& fault = *ordered[i].fault;
      EXPECT_EQ(fault.between.empty() ? fault.kind : fault.between, row.told[i]) << row.why << ", " << i;
    }
    EXPECT_EQ(root_fault(seen), ordered.front().fault) << row.why;
  }
}

TEST(FaultOrder, AnotherCaseRefutesThatElementsWereCounted) {
  struct Row {
    const char* why;
    int line;
    bool there_too, refuted;
  };
  const Row rows[] = {
      {"15 rows, and a tile of 64", 12, false, true},
      {"another line", 13, false, false},
      {"so there as well", 12, true, false},
  };
  for (const Row& row : rows) {
    Fault first, other;
    first.kind = other.kind = "out-of-bounds";
    first.line = 12, other.line = row.line;
    first.counted_in_elements = true, other.counted_in_elements = row.there_too;
    const std::vector<FaultSeen> seen = {{"seed", 0, &first}, {"pair", 0, &other}};
    EXPECT_EQ(root_fault(seen), row.refuted ? &other : &first) << row.why;
  }
}

TEST(FaultOrder, OfNoFaultThereIsNoRoot) {
  EXPECT_EQ(root_fault({}), nullptr);
  EXPECT_TRUE(in_order_of_cause({}).empty());
}

}  // namespace
}  // namespace fusebox
