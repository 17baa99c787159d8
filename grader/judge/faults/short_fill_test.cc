#include "grader/judge/faults/short_fill.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(ShortFill, IsWhatLeavesAllButOnePartOfEachElement) {
  constexpr DeviceAddress kAt = 0x1000;
  const auto set = [](DeviceAddress at, std::uint64_t bytes) { return PlanOp(MemsetOp{at, bytes, 0}); };
  const auto copy = [](DeviceAddress at, std::uint64_t bytes) {
    return PlanOp(CopyOp{at, 0, bytes, {}, {}});
  };
  const struct {
    const char* what;
    std::vector<PlanOp> ops;
    const char* says;
  } rows[] = {
      {"floats", {set(kAt, 64)}, "cudaMemset sets 64 of the 256 bytes of `sums`"},
      {"structs of 16 bytes", {copy(kAt, 16)}, "cudaMemcpy fills 16 of the 256 bytes of `sums`"},
      {"all of it", {set(kAt, 256)}, ""},
      {"a part that no element has", {set(kAt, 100)}, ""},
      {"the second half", {set(kAt + 128, 128)}, ""},
      {"another buffer", {set(kAt + 256, 64)}, ""},
      {"two: which?", {set(kAt, 64), copy(kAt, 64)}, ""},
      {"nothing", {}, ""},
  };
  for (const auto& row : rows) {
    LaunchPlan plan;
    plan.ops = row.ops;
    const std::string said = short_fill(plan, "sums", kAt, 256);
    EXPECT_EQ(said.substr(0, said.find(':')), row.says) << row.what;
  }
}

}  // namespace
}  // namespace fusebox
