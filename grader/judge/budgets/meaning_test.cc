#include "grader/judge/budgets/meaning.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

constexpr std::uint64_t kMega = 1'000'000;

/// A run of one launch. What moves through DRAM is half read, half left in L2.
struct Made {
  std::uint64_t dram_mb = 0, requested_mb = 0;
  double us = 0;
  std::string bound_by = "DRAM";
  double fills = 1;
  std::vector<TensorTraffic> tensors = {};
  std::uint64_t instructions = 1000;
  std::uint64_t sectors_over_ideal = 1;
};

FullSizeRun run_of(const Made& made) {
  LaunchRecord launch;
  launch.kernel = "kernel";
  launch.tensors = made.tensors;
  launch.counters.global_load.requests = 1;
  launch.counters.global_load.sectors = made.requested_mb * kMega / 32;
  launch.counters.global_load.ideal_sectors = launch.counters.global_load.sectors / made.sectors_over_ideal;
  launch.counters.warp_instructions = made.instructions;
  LaunchModel model;
  model.l2_bytes = made.requested_mb * kMega;
  model.dram_read_bytes = made.dram_mb * kMega / 2;
  model.terms = {{made.bound_by, 1e-6 * made.us}, {"issue", 1e-8 * made.us}};
  model.bound_by = made.bound_by;
  model.seconds = 1e-6 * made.us;
  model.occupancy.blocks_per_sm = 4;
  launch.grid = {static_cast<std::uint32_t>(made.fills * 4 * 100), 1, 1};
  launch.model = model;
  FullSizeRun run;
  run.launches = {launch};
  run.left_in_l2_bytes = made.dram_mb * kMega - made.dram_mb * kMega / 2;
  sum_up(run, 100);
  return run;
}

FullSize size_of(std::vector<FullSizeEntry> entries, std::uint64_t min_mb) {
  FullSize full;
  full.shape = "M1 N2";
  full.gpu_name = "NVIDIA H200";
  full.min_bytes = min_mb * kMega;
  full.entries = std::move(entries);
  return full;
}

FullSizeEntry both(const char* name, const Made& made) { return {name, run_of(made), run_of(made), {}}; }

TEST(Meaning, FusedWins) {
  EXPECT_EQ(
      meaning_of(size_of({both("unfused", {50, 60, 82}), both("fused", {17, 25, 50})}, 17)),
      "Fused moves 17 MB through DRAM where unfused moves 50; modelled on an H200 50 us against 82, bound "
      "by DRAM.");
}

TEST(Meaning, TheReferenceAloneIsNamed) {
  const FullSizeEntry unfused{"unfused", std::nullopt, run_of({50, 60, 82}), {}},
      fused{"fused", std::nullopt, run_of({17, 25, 50}), {}};
  EXPECT_EQ(
      meaning_of(size_of({unfused, fused}, 17)),
      "The reference's fused moves 17 MB through DRAM where unfused moves 50; modelled on an H200 50 us against "
      "82, bound by DRAM.");
  const FullSizeEntry mine{"fused", run_of({17, 25, 50}), run_of({17, 25, 50}), {}};
  EXPECT_EQ(
      meaning_of(size_of({unfused, mine}, 17)),
      "Fused moves 17 MB through DRAM where the reference's unfused moves 50; modelled on an H200 50 us against "
      "82, bound by DRAM.");
}

TEST(Meaning, FusedLosesAndByWhat) {
  const Made unfused{50, 120, 82, "load-store"};
  const struct {
    Made fused;
    const char* sentence;
  } kTable[] = {
      {{17, 8600, 172, "L2"},
       "Fused takes 172 us where unfused takes 82 (modelled on an H200): it moves 17 MB through DRAM instead of "
       "50, but asks L2 for 8.6 GB instead of 120 MB, and is bound by L2."},
      {{17, 100, 172, "issue", 1, {}, 3800},
       "Fused takes 172 us where unfused takes 82 (modelled on an H200): it moves 17 MB through DRAM instead of "
       "50, but issues 3.8 times the instructions, and is bound by issue."},
      {{17, 700, 172, "latency"},
       "Fused takes 172 us where unfused takes 82 (modelled on an H200): it moves 17 MB through DRAM instead of "
       "50, but requests 700 MB instead of 120, and is bound by latency."},
      {{17, 100, 172, "latency", 0.06},
       "Fused takes 172 us where unfused takes 82 (modelled on an H200): it moves 17 MB through DRAM instead of "
       "50, but fewer of its warps wait at a time, and is bound by latency, for it fills 6 % of the GPU."},
  };
  for (const auto& row : kTable)
    EXPECT_EQ(meaning_of(size_of({both("unfused", unfused), both("fused", row.fused)}, 17)), row.sentence);
}

TEST(Meaning, OverTheReferenceSaysWhatIsReadAgain) {
  FullSizeEntry entry{"kernel",
                      run_of({50, 50, 20, "DRAM", 1, {{"x", 8, 24, 0, 24, 0}, {"out", 8, 0, 8, 0, 8}}}),
                      run_of({17, 17, 8, "DRAM", 1, {{"x", 8, 8, 0, 8, 0}, {"out", 8, 0, 8, 0, 8}}}),
                      {}};
  EXPECT_EQ(
      meaning_of(size_of({entry}, 17)),
      "Your kernel reads x three times, the reference once: 50 MB through DRAM where 17 are compulsory; "
      "modelled 20 us against 8.");
  entry.student = run_of({17, 50, 20, "L2", 1, {{"x", 8, 24, 0, 8, 0}, {"out", 8, 0, 8, 0, 8}}});
  EXPECT_EQ(
      meaning_of(size_of({entry}, 17)),
      "Your kernel asks for x three times, the reference once: 50 MB requested where 17 are enough; modelled 20 us "
      "against 8.");
}

TEST(Meaning, ASecondSentenceWhereTheFusedKernelWinsAndCostsMoreThanItMust) {
  FullSizeEntry fused{"fused",
                      run_of({34, 34, 60, "DRAM", 1, {{"out", 8, 8, 8, 8, 16}}}),
                      run_of({17, 17, 50, "DRAM", 1, {{"out", 8, 0, 8, 0, 8}}}),
                      {}};
  EXPECT_EQ(
      meaning_of(size_of({both("unfused", {50, 60, 82}), fused}, 17)),
      "Fused moves 34 MB through DRAM where unfused moves 50; modelled on an H200 60 us against 82, bound by "
      "DRAM. Your fused reads out once, the reference never: 34 MB through DRAM where 17 are compulsory; modelled "
      "60 us against 50.");
}

TEST(Meaning, OneEntryBesideWhatAnyKernelMustMove) {
  EXPECT_EQ(
      meaning_of(size_of({both("kernel", {268, 300, 66})}, 268)),
      "Your kernel moves 268 MB through DRAM where 268 are compulsory; modelled on an H200 66 us, bound by "
      "DRAM.");
  EXPECT_EQ(
      meaning_of(size_of({{"kernel", std::nullopt, run_of({268, 300, 66}), {}}}, 268)),
      "The reference moves 268 MB through DRAM where 268 are compulsory; modelled on an H200 66 us, bound by "
      "DRAM.");
}

TEST(Meaning, AsManyBytesAndMuchLongerThanTheReference) {
  FullSizeEntry entry{"kernel", run_of({268, 300, 1500, "latency", 0.06}), run_of({268, 300, 66}), {}};
  EXPECT_EQ(
      meaning_of(size_of({entry}, 268)),
      "Your kernel moves 268 MB through DRAM where the reference moves 268, and takes 1.5 ms where that takes "
      "66 us (modelled on an H200): fewer of its warps wait at a time, and it is bound by latency, for it "
      "fills 6 % of the GPU.");
  entry.student = run_of({268, 300, 90});
  EXPECT_EQ(
      meaning_of(size_of({entry}, 268)),
      "Your kernel moves 268 MB through DRAM where 268 are compulsory; modelled on an H200 90 us, bound by "
      "DRAM.")
      << "the model may be wrong by as much";
}

TEST(Meaning, TwoTermsThatAreNearAreBothNamed) {
  FullSizeRun run = run_of({.dram_mb = 268, .us = 66});
  for (const double next : {0.80, 0.90}) {
    std::vector<ModelTerm>& terms = run.launches[0].model->terms;
    terms = {{"DRAM", 66e-6}, {"latency", next * 66e-6}};
    sum_up(run, 100);
    FullSizeEntry entry;
    entry.reference = run;
    const std::string text = meaning_of(size_of({entry}, 268));
    EXPECT_EQ(text.find("DRAM or latency") != std::string::npos, next > 0.85) << text;
  }
}

TEST(Meaning, WhereRequestsLeaveMuchOfALineTheModelsBytesAreTheFewest) {
  Made apart{202, 1600, 421, "L2"};
  apart.sectors_over_ideal = 8;
  EXPECT_EQ(
      meaning_of(size_of({both("kernel", apart)}, 202)),
      "Your kernel moves at least 202 MB through DRAM where 202 are compulsory; modelled on an H200 421 us, bound by L2.");
  EXPECT_EQ(
      meaning_of(size_of({both("unfused", apart), both("fused", {17, 25, 50})}, 17)),
      "Fused moves 17 MB through DRAM where unfused moves at least 202; modelled on an H200 50 us against 421, bound by DRAM.");
}

TEST(Meaning, WhatCouldNotBeRunSaysNothing) {
  FullSizeRun failed;
  failed.problem = "out of memory";
  EXPECT_EQ(meaning_of(size_of({{"kernel", failed, std::nullopt, {}}}, 1)), "");
  EXPECT_EQ(meaning_of(FullSize{}), "");
}

TEST(Meaning, TheCountedCaseIsTooSmallToTell) {
  Report report;
  EntryReport& entry = report.entries.emplace_back();
  entry.student = SideRun{{}, run_of({1, 1, 3, "latency", 0.06}).launches, "B2 S64 H128 O128"};
  EXPECT_EQ(meaning_of_counted(report, 100),
            "The counted case (B2 S64 H128 O128) fills 6 % of the GPU: its time is latency, not bytes.");
  entry.student = SideRun{{}, run_of({1, 1, 3, "DRAM", 0.06}).launches, "B2"};
  EXPECT_EQ(meaning_of_counted(report, 100), "");
  entry.student = SideRun{{}, run_of({1, 1, 3, "latency", 1}).launches, "B2"};
  EXPECT_EQ(meaning_of_counted(report, 100), "");
}

}  // namespace
}  // namespace fusebox
