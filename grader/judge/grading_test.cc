// Each way to fail, and what is said of it.
#include <algorithm>
#include <chrono>
#include <thread>

#include "grader/judge/budgets/metrics.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/grading_testing.h"
#include "grader/report/fault_key.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

using namespace grading_testing;

TEST_F(GradingTest, RightAnswersPass) {
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::passed) << report.verdict_text;
  EXPECT_EQ(report.entries[0].checks.size(), 6u);
  ASSERT_TRUE(report.entries[0].student && report.entries[0].reference);
  EXPECT_EQ(report.entries[0].budgets[0].reference, 1.0);
  EXPECT_EQ(report.file_sha256.size(), 64u);
}

TEST_F(GradingTest, TheRecorderIsToldWhatLimitsLaunches) {
  resources_ = {{"other_kernel", 16, 64, 0}, {"copy_kernel", 40, 4224, 0}};
  grade();
  ASSERT_EQ(last_request_.kernels.size(), 1u);
  const KernelParameters& kernel = last_request_.kernels[0];
  EXPECT_EQ(kernel.registers, 40);
  EXPECT_EQ(kernel.static_shared_bytes, 4224);
  EXPECT_EQ(kernel.max_threads, 256);
}

TEST_F(GradingTest, OtherSchedulesMustPassToo) {
  schedules_ = 3;
  EXPECT_THAT(check(grade(), "case n_3").summary, HasSubstr("and in 3 other schedules"));
  // Wrong in one of them: that one is named.
  device_.shuffled = [](fusebox::Run& run, std::uint64_t seed) {
    if (seed == 2) run.outputs[1][5] ^= std::byte{0x40};
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_THAT(check(report, "case n_3").summary, HasSubstr("in another order of warps and blocks"));
  EXPECT_THAT(check(report, "case n_3").detail, HasSubstr("--seed 7 --schedule 2"));
  // Other bytes within the tolerance are worth a word, and no failure.
  puzzle_.make = [exact = puzzle_.make](const Case& which, Random& random) {
    Problem problem = exact(which, random);
    std::get<Tensor>(problem.arguments[1]).tolerance = {1e-6, 0, "sums in any order"};
    return problem;
  };
  device_.shuffled = [](fusebox::Run& run, std::uint64_t) { run.outputs[1][4] ^= std::byte{1}; };
  const Report rounded = grade();
  EXPECT_EQ(rounded.verdict, Outcome::passed) << rounded.verdict_text;
  EXPECT_THAT(check(rounded, "case n_3").detail, HasSubstr("3 of 3 schedules, for instance --schedule"));
}

TEST_F(GradingTest, HostFunctionIsGivenAddressesAndSizesInOrder) {
  grade();
  ASSERT_EQ(last_request_.arguments.size(), 3u);
  EXPECT_EQ(last_request_.arguments[0].kind, HostArgument::Kind::pointer);
  EXPECT_EQ(last_request_.arguments[2].kind, HostArgument::Kind::int32);
  EXPECT_EQ(last_request_.arguments[2].bits, 8u);
  ASSERT_EQ(last_request_.kernels.size(), 1u);
  ASSERT_EQ(last_request_.kernels[0].slots.size(), 3u);
  EXPECT_EQ(last_request_.kernels[0].slots[2].offset, 16u);
  EXPECT_GT(last_request_.allocations.begin, last_request_.arguments[1].bits);
}

TEST_F(GradingTest, WrongAnswerNamesElementSeedAndCommand) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    run.outputs[1][5] ^= std::byte{0x40};
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  const Check& failed = check(report, "case n_3");
  ASSERT_EQ(failed.mismatches.size(), 1u);
  EXPECT_EQ(failed.mismatches[0].index, std::vector<std::int64_t>{1});
  EXPECT_THAT(failed.detail, HasSubstr("again: grader p99 --seed 7"));
  EXPECT_THAT(report.verdict_text, HasSubstr("case n_3"));
}

TEST_F(GradingTest, WhileTheCauseIsLookedForItSaysHowManyCasesFail) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs[0].size() == 32) run.outputs[1][0] ^= std::byte{64};
  };
  std::vector<std::string> said;
  GradingOptions options;
  options.progress = [&](const std::string& line) { said.push_back(line); };
  Grading g = grading(options);
  grade(g);
  EXPECT_THAT(said, testing::ElementsAre("p99 kernel: 1 of 2 cases fails, looking for the cause ...", ""));
}

TEST_F(GradingTest, OutputThatNobodyWroteFails) {
  device_.behave = nullptr;
  EXPECT_THAT(check(grade(), "case n_3").detail, HasSubstr("never written"));
}

TEST_F(GradingTest, RightBytesThatNobodyWroteFail) {
  device_.behave = [](fusebox::Run& run) { run.outputs[1] = run.outputs[0]; };
  EXPECT_THAT(check(grade(), "case n_3").detail, HasSubstr("never written"));
}

TEST_F(GradingTest, WhatNobodyLooksAtNeedNotBeWritten) {
  puzzle_.make = [make = puzzle_.make](const Case& which, Random& random) {
    Problem problem = make(which, random);
    Tensor& out = std::get<Tensor>(problem.arguments[1]);
    out.overlooked.assign(out.expected.size(), false);
    out.overlooked.back() = true, out.expected.back() = 0;
    return problem;
  };
  device_.behave = [](fusebox::Run& run) {
    run.outputs[1] = run.outputs[0];
    std::fill(run.outputs[1].end() - 4, run.outputs[1].end(), kPoison);
  };
  EXPECT_EQ(grade().verdict, Outcome::passed);
  device_.behave = nullptr;
  EXPECT_THAT(check(grade(), "case n_3").detail, HasSubstr("2 of 3 elements of `out` are wrong"));
}

TEST_F(GradingTest, ChangedInputFails) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    run.outputs[0][0] ^= std::byte{1};
  };
  EXPECT_EQ(check(grade(), "case n_3").summary, "an input was changed");
}

TEST_F(GradingTest, FaultFailsThoughTheAnswerIsRight) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    Fault fault;
    fault.kind = "out-of-bounds";
    fault.what = "out-of-bounds store of 4 bytes";
    fault.where = "just past the end of `out`";
    fault.file = "elsewhere/mine.cu";
    fault.line = 4;
    fault.hint = "Compare the index.";
    run.launches[0].faults.push_back(fault);
  };
  const Report report = grade();
  const Check& failed = check(report, "case n_3");
  EXPECT_EQ(failed.outcome, Outcome::failed);
  ASSERT_TRUE(failed.fault);
  EXPECT_THAT(failed.detail, HasSubstr("4 | out[threadIdx.x] = x[threadIdx.x];"));
  EXPECT_EQ(check(report, "budget launches").outcome, Outcome::skipped)
      << "counters of a run with a fault mean nothing";
}

TEST_F(GradingTest, NoLaunchIsSaid) {
  recorded_ = Recording{};
  EXPECT_THAT(check(grade(), "case n_3").summary, HasSubstr("launched no kernel"));
}

TEST_F(GradingTest, TooManyLaunchesBreakTheBudgetOnly) {
  auto& ops = std::get<Recording>(recorded_).plan.ops;
  ops.emplace_back(std::in_place_type<LaunchOp>);
  const Report report = grade();
  EXPECT_EQ(check(report, "case n_8").outcome, Outcome::passed);
  const Check& budget = check(report, "budget launches");
  EXPECT_EQ(budget.outcome, Outcome::failed);
  EXPECT_EQ(budget.detail, "") << "what to try rests on evidence, not on a broken budget";
  EXPECT_THAT(report.verdict_text, HasSubstr("2 kernels are launched where 1 is enough"));
}

TEST_F(GradingTest, CopiesAreNoLaunches) {
  std::get<Recording>(recorded_).plan.ops.push_back(MemsetOp{0x100000000, 4, 0});
  EXPECT_EQ(check(grade(), "budget launches").outcome, Outcome::passed);
}

TEST_F(GradingTest, EmptyBlankIsUnsolvedAndTheReferenceIsStillCounted) {
  write("mine.cu", strip_blanks(kSolution).value());
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::unsolved);
  EXPECT_THAT(check(report, "blanks").summary, HasSubstr("`body` is empty"));
  EXPECT_FALSE(report.entries[0].student);
  ASSERT_TRUE(report.entries[0].reference);
  EXPECT_EQ(compiles_, 1) << "the puzzle as it was handed out needs no compiler";
}

TEST_F(GradingTest, CompileErrorGradesNothingElseWrong) {
  write("mine.cu", std::string(kSolution) + "syntax error\n");
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_THAT(check(report, "file").summary, HasSubstr("mine.cu:4:7"));
  for (const Check& each : report.entries[0].checks)
    if (each.name != "file") {
      EXPECT_EQ(each.outcome, Outcome::skipped) << each.name;
    }
}

TEST_F(GradingTest, ARewriteWithoutMarkersIsGraded) {
  write("mine.cu", "__global__ void copy_kernel() {}\n");
  EXPECT_EQ(grade().verdict, Outcome::passed);
  EXPECT_EQ(check(grade(), "blanks").summary, "judged as a whole, not blank by blank: no markers of `body`");
  device_.behave = [](fusebox::Run& run) { run.outputs[1].front() ^= std::byte{0x40}; };
  EXPECT_EQ(grade().verdict, Outcome::failed);
}

TEST_F(GradingTest, DamagedMarkersAreToldAndNotInTheWay) {
  write("mine.cu", "__global__ void copy_kernel() {}\n// END: body\n");
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::passed);
  EXPECT_THAT(check(report, "blanks").summary, HasSubstr("line 2: `END: body` without a `FILL ME IN: body`"));
}

TEST_F(GradingTest, WithoutMarkersNoBlankIsSaidToBeRightOrWrong) {
  puzzle_.entries[0].blanks = {"body", "launch"};
  write("mine.cu", "__global__ void copy_kernel() {}\n");
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    for (std::byte& byte : run.outputs[1]) byte ^= std::byte{0x40};
  };
  const Report report = grade();
  ASSERT_EQ(report.entries[0].blanks.size(), 2U);
  EXPECT_EQ(report.entries[0].blanks[0].verdict, "unmarked");
  EXPECT_EQ(report.entries[0].blanks[1].verdict, "unmarked");
}

TEST_F(GradingTest, AMistakeInAFileWithoutMarkersIsInNoBlank) {
  puzzle_.entries[0].blanks = {"body", "launch"};
  device_.behave = loses_signs;
  mutants_ = {sign_lost()};
  write("mine.cu", "__global__ void copy_kernel() {}\n");
  EXPECT_EQ(grade().entries[0].cause->sentence, "This is the copy with a sign lost.");
}

TEST_F(GradingTest, AnEmptyBlankInARewrittenFileSaysWhatToDo) {
  write("mine.cu", strip_blanks(kSolution).value());
  EXPECT_THAT(grade().verdict_text, HasSubstr("write it in"));
  write("mine.cu", "// mine\n" + strip_blanks(kSolution).value());
  EXPECT_EQ(grade().verdict, Outcome::unsolved);
  EXPECT_THAT(grade().verdict_text, HasSubstr("take its two marker lines out"));
}

TEST_F(GradingTest, ChangedSignatureSaysExpectedAndFound) {
  function_ = "copy(float*, float*, int)";
  Grading g = grading();
  const Report report = grade(g);
  EXPECT_EQ(check(report, "signature").outcome, Outcome::failed);
  EXPECT_THAT(check(report, "signature").detail, HasSubstr("expected copy(float const*, float*, int)"));
  EXPECT_EQ(check(report, "case n_3").outcome, Outcome::skipped);
}

TEST_F(GradingTest, EndlessLoopIsTriedOnce) {
  device_.behave = [](fusebox::Run& run) {
    Fault fault;
    fault.kind = "endless-loop";
    fault.what = "never ended";
    run.launches[0].faults.push_back(fault);
  };
  const Report report = grade();
  EXPECT_EQ(check(report, "case n_3").outcome, Outcome::failed);
  EXPECT_EQ(check(report, "case n_8").outcome, Outcome::skipped);
}

TEST_F(GradingTest, CrashOfTheHostFunctionIsAVerdict) {
  recorded_ =
      RecordFailure{FailureKind::crash, "the host function crashed", "look at its pointers", "before\n"};
  const Report report = grade();
  EXPECT_EQ(check(report, "case n_3").summary, "the host function crashed");
  EXPECT_THAT(check(report, "case n_3").detail, HasSubstr("look at its pointers"));
}

TEST_F(GradingTest, MachinesFailureIsNoVerdict) {
  services_.record = [](const RecordRequest&) -> Result<RecordResult> {
    return Error{ErrorKind::missing_part, "no recorder", "build"};
  };
  Grading g = grading();
  grade(g);
  ASSERT_TRUE(g.error());
  EXPECT_EQ(g.error()->kind, ErrorKind::missing_part);
}

TEST_F(GradingTest, KnownMistakeIsNotNamedOnOneElement) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    run.outputs[1][3] ^= std::byte{0x80};
  };
  mutants_ = {sign_lost()};
  // One element is no evidence: a name needs eight that tell.
  const Report report = grade();
  ASSERT_TRUE(report.entries[0].cause);
  EXPECT_THAT(report.entries[0].cause->sentence, testing::Not(HasSubstr("the copy with a sign lost")));
}

TEST_F(GradingTest, ASlowCompilerOfKnownMistakesChangesNoWord) {
  device_.behave = loses_signs;
  mutants_ = {sign_lost()};
  const Report quick = grade();
  services_.compile = [compile = services_.compile](const SourceFile& source) {
    // Longer than any limit by the clock that known mistakes have ever had.
    if (source.text.find("-x[0]") != std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    return compile(source);
  };
  const Report slow = grade();
  ASSERT_TRUE(quick.entries[0].cause && slow.entries[0].cause);
  EXPECT_THAT(quick.entries[0].cause->sentence, HasSubstr("the copy with a sign lost"));
  EXPECT_EQ(slow.entries[0].cause->sentence, quick.entries[0].cause->sentence);
  EXPECT_EQ(slow.entries[0].cause->evidence, quick.entries[0].cause->evidence);
  EXPECT_EQ(slow.entries[0].cause->details, quick.entries[0].cause->details);
  EXPECT_EQ(slow.verdict_text, quick.verdict_text);
}

TEST_F(GradingTest, AnInputThatIsNeverReadCannotHaveBeenUsed) {
  device_.reads = false;
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_EQ(check(report, "case n_8").summary, "`x` is never read, so it cannot have been used");
  EXPECT_EQ(check(report, "case n_3").outcome, Outcome::passed) << "counted once, in the counted case";
}

TEST_F(GradingTest, SizesThatTheSeedDrawsAreToldAndRepeat) {
  puzzle_.cases.insert(puzzle_.cases.begin(),
                       {"drawn", "any size", {{"N", 5}}, "normal", false, {{"N", {9, 900}}}});
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    run.outputs[1].front() ^= std::byte{0x40};
  };
  const std::string first = check(grade(), "case drawn").detail;
  EXPECT_THAT(first, testing::ContainsRegex("there for: any size, here N [0-9]+"));
  EXPECT_EQ(check(grade(), "case drawn").detail, first);
}

TEST_F(GradingTest, ASecondCallInOneProcessMustBeRightToo) {
  puzzle_.cases.push_back({"n_5", "five", {{"N", 5}}, "normal", false});
  EXPECT_EQ(grade().verdict, Outcome::passed);
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs.size() == 4) run.outputs[1][5] ^= std::byte{0x40};
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_EQ(check(report, "case n_3").outcome, Outcome::passed);
  EXPECT_EQ(check(report, "case n_5").summary, "`copy` is wrong when a program calls it a second time");
  EXPECT_THAT(check(report, "case n_5").detail,
              HasSubstr("right in case n_5 by itself, and wrong behind case n_3"));
  // Two calls may take more together than a call may.
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs.size() != 4) return;
    Fault limit;
    limit.kind = word_of(FaultKey::work_limit);
    run.faults.push_back(limit);
  };
  EXPECT_EQ(grade().verdict, Outcome::passed);
}

TEST_F(GradingTest, ACallWithOneOfItsSizesMayBeInTheWay) {
  for (Case& each : puzzle_.cases) each.sizes["step"] = 1;
  puzzle_.cases.push_back({"n_5", "five", {{"N", 5}, {"step", 9}}, "normal", false});
  EXPECT_EQ(grade().verdict, Outcome::passed);
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs.size() == 6) run.outputs[1][5] ^= std::byte{0x40};
  };
  const Check wrong = check(grade(), "case n_5");
  EXPECT_EQ(wrong.summary, "`copy` is wrong when a program calls it a second time with the same `step`");
  EXPECT_THAT(wrong.detail, HasSubstr("wrong behind a call with its `step` and other sizes"));
  // So may one with another of them, where the file may keep something.
  write("mine.cu", std::string(kSolution) + "int calls() { static int made = 0; return made++; }\n");
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs.size() == 6 && run.outputs[4].size() == 5 * sizeof(float))
      run.outputs[1][5] ^= std::byte{0x40};
  };
  EXPECT_EQ(check(grade(), "case n_5").summary,
            "`copy` is wrong when a program calls it a second time with the same `N`");
  // Where another call is enough it is spoken of alone.
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs.size() >= 4) run.outputs[1][5] ^= std::byte{0x40};
  };
  const Check behind_any = check(grade(), "case n_5");
  EXPECT_EQ(behind_any.summary, "`copy` is wrong when a program calls it a second time");
  EXPECT_THAT(behind_any.detail, HasSubstr("wrong behind case n_3 in"));
}

TEST_F(GradingTest, WhatTheGridsDoNotGrowForIsTriedToo) {
  puzzle_.cases.push_back({"drawn", "any size", {{"N", 5}}, "normal", false, {{"N", {1, 50}}}});
  puzzle_.full_size =
      FullSizeCase{{"large", "", {{"N", 1 << 20}}}, 0, [make = puzzle_.make](const Case& which) {
                     Random random(1);
                     return make(which, random);
                   }};
  LaunchOp launch;
  launch.grid = {64};
  launch.block = {32};
  std::get<Recording>(recorded_).plan.ops = {launch};
  EXPECT_EQ(grade().verdict, Outcome::passed);
  int large = 0;
  device_.behave = [&](fusebox::Run& run) {
    copies(run);
    const bool is_large = run.outputs[1].size() > 4 * 64 * 32;
    if (is_large && ++large == 1) run.outputs[1].back() ^= std::byte{0x40};  // the reference is right
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_THAT(check(report, "case drawn").detail, HasSubstr("this case was made larger, N"));
  EXPECT_EQ(report.entries[0].cause->sentence.substr(0, 16), "The last element") << "of the larger one";
  // Where the reference is wrong as well, nobody is asked for it.
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    if (run.outputs[1].size() > 4 * 64 * 32) run.outputs[1].back() ^= std::byte{0x40};
  };
  EXPECT_EQ(grade().verdict, Outcome::passed);
}

TEST_F(GradingTest, WhatCannotBeLaunchedAtFullSizeFails) {
  puzzle_.cases.push_back({"drawn", "any size", {{"N", 5}}, "normal", false, {{"N", {1, 50}}}});
  puzzle_.full_size =
      FullSizeCase{{"large", "", {{"N", 1 << 20}}}, 0, [make = puzzle_.make](const Case& which) {
                     Random random(1);
                     return make(which, random);
                   }};
  services_.record = [this](const RecordRequest& request) -> Result<RecordResult> {
    if (request.arguments[2].bits < 1000) return recorded_;
    return RecordResult{RecordFailure{FailureKind::bad_launch, "The launch is refused.", "Look.", ""}};
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_EQ(check(report, "case drawn").summary, "The launch is refused.");
  EXPECT_THAT(check(report, "case drawn").detail, HasSubstr("this is at N1048576"));
}

TEST_F(GradingTest, AheadOrNotTheResultIsTheSame) {
  Grading one = grading(), two = grading();
  const Entry& entry = puzzle_.entries[0];
  two.record_ahead({{&entry, &puzzle_.cases[0]}, {&entry, &puzzle_.cases[1]}});
  EXPECT_EQ(records_, 2);
  EXPECT_EQ(grade(one).verdict, grade(two).verdict);
}

TEST_F(GradingTest, ReferenceRunsOnItsOwnDeviceWhenThereIsOne) {
  FakeDevice second;
  std::atomic<int> runs = 0;
  second.behave = [&](fusebox::Run& run) {
    ++runs;
    copies(run);
    run.launches.emplace_back();
  };
  services_.reference_device = &second;
  Grading g = grading();
  g.record_ahead({});
  const Report report = grade(g);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(report.verdict, Outcome::passed);
  ASSERT_TRUE(report.entries[0].reference);
}

// A class is told verdicts: numbers to compare with are counted where they may say why an answer fails.
TEST_F(GradingTest, TheReferenceIsLeftOutWhereNothingNeedsIt) {
  const auto graded = [&](int records) {
    records_ = 0;
    GradingOptions options;
    options.reference_use = ReferenceUse::on_failures;
    Grading g = grading(options);
    g.record_ahead({});
    Report report = grade(g);
    EXPECT_FALSE(g.error());
    EXPECT_EQ(records_, records);
    return report;
  };
  const Report right = graded(2);
  EXPECT_EQ(right.verdict, Outcome::passed);
  EXPECT_TRUE(right.entries[0].student);
  EXPECT_FALSE(right.entries[0].reference);
  puzzle_.entries[0].budgets[0].limit = 0;
  const Report dear = graded(3);
  EXPECT_EQ(dear.verdict, Outcome::failed);
  EXPECT_TRUE(dear.entries[0].reference);
}

TEST_F(GradingTest, TheReferenceHandedInIsCompiledOnce) {
  write("mine.cu", kSolution);
  services_.compile_module = services_.compile;
  EXPECT_EQ(grade().verdict, Outcome::passed);
  EXPECT_EQ(compiles_, 1);
}

TEST_F(GradingTest, PartOfTheChecksIsNotTheWhole) {
  Grading g = grading();
  g.check_case(puzzle_.entries[0], puzzle_.cases[0]);
  EXPECT_THAT(g.report().verdict_text, HasSubstr("1 of 6 checks"));
}

TEST_F(GradingTest, NothingAskedIsNotPassed) {
  Grading g = grading();
  EXPECT_EQ(g.report().verdict, Outcome::skipped);
}

TEST(CaseSeed, CasesDrawApart) {
  EXPECT_NE(case_seed(1, "a"), case_seed(1, "b"));
  EXPECT_NE(case_seed(1, "a"), case_seed(2, "a"));
  EXPECT_EQ(case_seed(1, "a"), case_seed(1, "a"));
}

}  // namespace
}  // namespace fusebox
