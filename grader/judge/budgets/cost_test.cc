#include "grader/judge/budgets/cost.h"

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
  sample.line = 7, sample.tensor = "x", sample.bytes = 4;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    sample.offsets.push_back(static_cast<std::int64_t>(4 * sectors_over_ideal * lane));
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

TEST(Cost, CopiesAreNoKernels) {
  SideRun run;
  run.launches = {launch("copy to the device"), launch("adam"), launch("adam")};
  EXPECT_EQ(explain_cost(over("launches", Unit::count, 2, 1), run, nullptr).sentence,
            "2 kernels are launched where 1 is enough: adam 2 times.");
}

TEST(Cost, LanesApartAreToldByLineTensorAndSectors) {
  const SideRun mine = reading(1, 8), theirs = reading(1);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 8192, 1126), mine, &theirs);
  EXPECT_EQ(cause.line, 7);
  EXPECT_THAT(cause.sentence, HasSubstr("Line 7 is not coalesced on `x`"));
  EXPECT_THAT(cause.sentence, HasSubstr("256 sectors where its bytes fill 32, 8.0 times"));
}

TEST(Cost, OfALineWithTwoTensorsTheOneIsNamedWhoseLanesStandApart) {
  SideRun mine = reading(1, 8);
  AccessSample beside = reading(1).launches[0].samples[0];
  beside.tensor = "in_order";
  mine.launches[0].samples.push_back(beside);
  const SideRun theirs = reading(1);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 8192, 1126), mine, &theirs);
  EXPECT_THAT(cause.sentence, HasSubstr("not coalesced on `x`:"));
}

TEST(Cost, WhereTheReferenceIsNoBetterCoalescedPassesAreTold) {
  const SideRun mine = reading(8, 5), theirs = reading(1, 5);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 40960, 8192), mine, &theirs);
  EXPECT_THAT(cause.sentence, HasSubstr("`x` is read 40.0 times over, where 5.0 are enough"));
  const CostCause apart = explain_cost(over("bytes.requested", Unit::bytes, 40960, 8192), mine, nullptr);
  EXPECT_THAT(apart.sentence, HasSubstr("Line 7 is not coalesced")) << "nothing to compare with";
}

TEST(Cost, PassesAreToldWhereTheyAreMoreThanLanesStandFurtherApart) {
  const SideRun mine = reading(8, 5), theirs = reading(1, 4);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 40960, 8192), mine, &theirs);
  EXPECT_THAT(cause.sentence, HasSubstr("`x` is read 40.0 times over"));
  SideRun own = mine;
  own.launches[0].tensors.push_back({"room", 1024, 1024, 1024, 1024, 1024});
  EXPECT_THAT(explain_cost(over("bytes.requested", Unit::bytes, 40960, 8192), own, &theirs).sentence,
              HasSubstr("Line 7 is not coalesced"))
      << "the reference has no such buffer";
  const SideRun apart = reading(2, 8), together = reading(1, 1);
  EXPECT_THAT(explain_cost(over("bytes.requested", Unit::bytes, 16384, 1126), apart, &together).sentence,
              HasSubstr("Line 7 is not coalesced"));
}

TEST(Cost, CoalescedPassesTooManyAreToldByTensor) {
  const SideRun mine = reading(3), theirs = reading(2);
  const CostCause cause = explain_cost(over("bytes.requested", Unit::bytes, 3072, 2252), mine, &theirs);
  EXPECT_THAT(cause.sentence, HasSubstr("`x` is read 3.0 times over, where 2.0 are enough"));
  EXPECT_THAT(cause.sentence, Not(HasSubstr("coalesced")));
}

TEST(Cost, AtomicsAreToldByTensorAndLine) {
  SideRun run = reading(1);
  AccessSample sample;
  sample.line = 9, sample.space = "global", sample.kind = "atomic", sample.tensor = "dgamma";
  run.launches[0].samples.push_back(sample);
  const CostCause many = explain_cost(over("atomics", Unit::count, 4096, 256), run, nullptr);
  EXPECT_EQ(many.line, 9);
  EXPECT_EQ(many.sentence,
            "Warps update memory of `dgamma` atomically 4,096 times, where 256 are enough: more can be added "
            "up in registers before.");
  EXPECT_THAT(explain_cost(over("atomics", Unit::count, 1, 0), run, nullptr).sentence,
              HasSubstr("to be done without atomics"));
}

TEST(Cost, ABufferThatTheReferenceDoesNotHaveIsTold) {
  SideRun mine = reading(1);
  mine.launches[0].tensors.push_back({"buffer 1", 512, 512, 512, 512, 512});
  const SideRun theirs = reading(1);
  EXPECT_THAT(explain_cost(over("bytes.compulsory", Unit::bytes, 2048, 1126), mine, &theirs).sentence,
              HasSubstr("`buffer 1` (512 B) is a buffer that need not be"));
  SideRun other = theirs;
  other.launches[0].tensors.push_back({"h", 256, 256, 256, 256, 256});
  EXPECT_THAT(explain_cost(over("bytes.compulsory", Unit::bytes, 2048, 1126), mine, &other).sentence,
              HasSubstr("`buffer 1` (512 B) is a buffer of your own"))
      << "it may hold what theirs does";
}

TEST(Cost, SmallRequestsAreToldByLineAndBytesOfALane) {
  SideRun mine = reading(1);
  mine.launches[0].lines[0].requests = 512;
  mine.launches[0].samples[0].bytes = 4;
  const CostCause cause = explain_cost(over("requests", Unit::count, 640, 288), mine, nullptr);
  EXPECT_EQ(cause.line, 7);
  EXPECT_EQ(
      cause.sentence,
      "Line 7 makes 512 of the 640 requests, on `x`, with 4 bytes for each lane: 16 bytes, a float4, are "
      "one request too.");
  EXPECT_THAT(explain_cost(over("requests", Unit::count, 512, 288), mine, nullptr).sentence,
              HasSubstr("Line 7 makes all 512 requests"));
  mine.launches[0].samples[0].bytes = 16;
  EXPECT_THAT(explain_cost(over("requests", Unit::count, 640, 288), mine, nullptr).sentence,
              Not(HasSubstr("float4")));
}

/// A kernel that waits so often for 4096 bytes.
SideRun waiting(std::uint64_t waits) {
  SideRun run;
  LaunchRecord record = launch("k");
  record.counters.global_load.useful_bytes = 4096;
  record.model.emplace().waits = waits;
  run.launches = {record};
  return run;
}

TEST(Cost, WaitsAreToldWithTheBytesUnderWay) {
  const SideRun mine = waiting(8), theirs = waiting(2);
  EXPECT_THAT(
      explain_cost(over("waits", Unit::count, 8, 5), mine, &theirs).sentence,
      HasSubstr(
          "wait for memory 8 times, each time with 512 B under way, where the reference's have 2.00 KiB"));
  EXPECT_THAT(explain_cost(over("waits", Unit::count, 8, 5), mine, &mine).sentence,
              HasSubstr("waits: 8, allowed 5"));
}

TEST(Cost, SharedMemoryIsToldByTheKernelWhoseBlocksKeepMost) {
  SideRun mine = reading(1);
  mine.launches.push_back(mine.launches[0]);
  mine.launches[0].kernel = "row_sums";
  mine.launches[0].block = {256, 1, 1};
  mine.launches[0].static_shared_bytes = 1024;
  mine.launches[0].dynamic_shared_bytes = 512;
  mine.launches[1].static_shared_bytes = 32;
  EXPECT_EQ(explain_cost(over("shared_bytes", Unit::bytes, 1536, 128), mine, nullptr).sentence,
            "A block of row_sums keeps 1.50 KiB in shared memory, for 256 threads, where 128 B are enough.");
}

TEST(Cost, BankConflictsAreToldByTheLineThatHasMost) {
  LaunchRecord record = launch("k");
  for (const auto& [line, count] : {std::pair{3, 5}, std::pair{7, 31}}) {
    LineTraffic traffic;
    traffic.line = line;
    traffic.bank_conflicts = static_cast<std::uint64_t>(count);
    record.lines.push_back(traffic);
  }
  AccessSample sample;
  sample.line = 7, sample.space = "shared";
  for (int lane = 0; lane < 32; ++lane) sample.offsets.push_back(std::int64_t{128} * lane);
  record.samples = {sample};
  SideRun run;
  run.launches = {record};
  const CostCause cause = explain_cost(over("bank_conflicts", Unit::count, 36, 0), run, nullptr);
  EXPECT_EQ(cause.line, 7);
  EXPECT_THAT(cause.sentence, HasSubstr("Line 7 has bank conflicts: the lanes of a warp, 32 words apart,"));
  EXPECT_THAT(cause.sentence, HasSubstr("31 wavefronts more than its words need, of 36 in all"));

  run.launches[0].samples[0].offsets[1] = 4;  // no one stride: none is claimed
  EXPECT_THAT(explain_cost(over("bank_conflicts", Unit::count, 36, 0), run, nullptr).sentence,
              HasSubstr("the lanes of a warp ask"));
}

TEST(Cost, WaitsAreToldAtTheLineWithMostLoads) {
  SideRun mine = waiting(8);
  const SideRun theirs = waiting(2);
  for (const int number : {7, 8, 9}) {
    LineTraffic line;
    line.line = number, line.sectors = 1, line.requests = number == 8 ? 100 : 10;
    AccessSample sample;
    sample.line = number, sample.tensor = "x", sample.kind = number == 8 ? "store" : "load";
    mine.launches[0].lines.push_back(line), mine.launches[0].samples.push_back(sample);
  }
  mine.launches[0].lines[2].requests = 20;
  EXPECT_EQ(explain_cost(over("waits", Unit::count, 8, 5), mine, &theirs).line, 9);
}

TEST(Cost, WorkThatIsInVainIsTold) {
  BudgetLine line = over("flops", Unit::count, 4000, 2500);
  EXPECT_EQ(explain_cost(line, SideRun(), nullptr).sentence, "flops: 4,000, allowed 2,500.");
  line.reference = 2000;
  EXPECT_THAT(explain_cost(line, SideRun(), nullptr).sentence,
              HasSubstr("2.0 times as many as the reference"));
  EXPECT_THAT(explain_cost(over("matrix_flops", Unit::count, 7000, 6500), SideRun(), nullptr).sentence,
              HasSubstr("Tensor cores carry out 7,000 operations where 6,500 are enough"));
}

TEST(Cost, WhatIsInNoRegisterIsTold) {
  const CostCause cause = explain_cost(over("local_requests", Unit::count, 40, 0), SideRun(), nullptr);
  EXPECT_THAT(cause.sentence, HasSubstr("An array of each thread lies in local memory"));
  EXPECT_THAT(cause.details, ::testing::ElementsAre("local_requests: 40, allowed 0."));
}

TEST(Cost, RegistersAreToldByTheThreadsThatTheyLeaveRoomFor) {
  SideRun run;
  run.launches = {launch("small"), launch("large")};
  run.launches[0].registers = 32, run.launches[1].registers = 255;
  run.launches[1].model.emplace().occupancy = {1, 8, 0.125, "registers"};
  CostCause cause = explain_cost(over("registers", Unit::count, 255, 128), run, nullptr);
  EXPECT_EQ(
      cause.sentence,
      "A thread of large has 255 registers, so that an SM holds 256 threads of it: keep less at a time.");
  run.launches[1].model->occupancy.limited_by = "shared memory";
  cause = explain_cost(over("registers", Unit::count, 255, 128), run, nullptr);
  EXPECT_EQ(cause.sentence, "registers: 255, allowed 128.");
}

TEST(Cost, SpillsAreToldByTheKernelThatHasTooFewRegisters) {
  SideRun run;
  run.launches = {launch("small"), launch("large")};
  run.launches[0].spill_bytes = 0, run.launches[1].spill_bytes = 152;
  run.launches[0].registers = 32, run.launches[1].registers = 128;
  const CostCause cause = explain_cost(over("spill_bytes", Unit::bytes, 152, 0), run, nullptr);
  EXPECT_THAT(cause.sentence, HasSubstr("A thread of large keeps more than its 128 registers hold"));
  EXPECT_THAT(cause.details, ::testing::ElementsAre("spill_bytes: 152 B, allowed 0 B."));
}

TEST(Cost, WithNothingToPointAtTheNumbersAreSaid) {
  EXPECT_EQ(explain_cost(over("bank_conflicts", Unit::count, 5, 0), SideRun(), nullptr).sentence,
            "bank_conflicts: 5, allowed 0.");
}

}  // namespace
}  // namespace fusebox
