#include "grader/judge/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

using testing::HasSubstr;
using testing::Not;

BudgetLine over(const std::string& tag, Unit unit, double value, double limit) {
  BudgetLine line;
  line.student = {tag, tag, "", unit, value};
  line.limit = limit;
  return line;
}

LaunchRecord launch(const std::string& kernel) {
  LaunchRecord record;
  record.kernel = kernel;
  return record;
}

/// A kernel that asks for x as often as said, in sectors of line 7.
SideRun reading(std::uint64_t passes, std::uint64_t sectors_over_ideal = 1) {
  SideRun run;
  LaunchRecord record = launch("k");
  record.tensors = {{"x", 1024, 1024 * passes * sectors_over_ideal, 0, 1024, 0}};
  LineTraffic line;
  line.line = 7;
  line.sectors = 32 * passes * sectors_over_ideal, line.ideal_sectors = 32 * passes;
  record.lines = {line};
  AccessSample sample;
  sample.line = 7, sample.tensor = "x";
  record.samples = {sample};
  run.launches = {record};
  return run;
}

TEST(Cost, LaunchesAreNamedOnceEach) {
  SideRun run;
  for (int i = 0; i < 300; ++i) run.launches.push_back(launch(i % 3 == 0 ? "mean" : "rstd"));
  const CostCause cause = explain_cost(over("launches", Unit::count, 300, 3), run, nullptr);
  EXPECT_EQ(cause.sentence, "300 kernels are launched where 3 are enough: mean 100 times, rstd 200 times.");
}

TEST(Cost, LanesApartAreToldByLineTensorAndSectors) {
  const SideRun mine = reading(1, 8), theirs = reading(1);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 8192, 1126), mine, &theirs);
  EXPECT_EQ(cause.line, 7);
  EXPECT_THAT(cause.sentence, HasSubstr("Line 7 is not coalesced on `x`"));
  EXPECT_THAT(cause.sentence, HasSubstr("256 sectors where its bytes fill 32, 8.0 times"));
}

TEST(Cost, CoalescedPassesTooManyAreToldByTensor) {
  const SideRun mine = reading(3), theirs = reading(2);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 3072, 2252), mine, &theirs);
  EXPECT_THAT(cause.sentence, HasSubstr("`x` is read 3.0 times over, where 2.0 are enough"));
  EXPECT_THAT(cause.sentence, Not(HasSubstr("coalesced")));
}

TEST(Cost, ABufferThatTheReferenceDoesNotHaveIsTold) {
  SideRun mine = reading(1);
  mine.launches[0].tensors.push_back({"buffer 1", 512, 512, 512, 512, 512});
  const SideRun theirs = reading(1);
  EXPECT_THAT(explain_cost(over("bytes.compulsory", Unit::bytes, 2048, 1126), mine, &theirs).sentence,
              HasSubstr("`buffer 1` (512 B) is a buffer that need not be"));
}

TEST(Cost, WhatIsInNoRegisterIsTold) {
  const CostCause cause = explain_cost(over("local_requests", Unit::count, 40, 0), SideRun(), nullptr);
  EXPECT_THAT(cause.sentence, HasSubstr("An array of each thread lies in local memory"));
  EXPECT_THAT(cause.details, ::testing::ElementsAre("local_requests: 40, allowed 0."));
}

TEST(Cost, WithNothingToPointAtTheNumbersAreSaid) {
  EXPECT_EQ(explain_cost(over("bank_conflicts", Unit::count, 5, 0), SideRun(), nullptr).sentence,
            "bank_conflicts: 5, allowed 0.");
}

}  // namespace
}  // namespace fusebox
