// Grading with a stand-in compiler, recorder and device, so that each way to fail can be played at will.
#include "grader/judge/grading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "grader/judge/compare.h"
#include "grader/judge/metrics.h"
#include "grader/judge/mistakes.h"
#include "grader/judge/tensor_bytes.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry copy_kernel(
	.param .u64 copy_kernel_param_0,
	.param .u64 copy_kernel_param_1,
	.param .u32 copy_kernel_param_2
)
.maxntid 256
{
	ret;
}
)";

constexpr const char* kSolution = R"(// a puzzle
__global__ void copy_kernel(const float* x, float* out, int n) {
  // FILL ME IN: body (roughly 1 line)
  out[threadIdx.x] = x[threadIdx.x];
  // END: body
}
)";

/// Hands back what `behave` makes of the buffers.
class FakeDevice : public Device {
 public:
  AddressRange address_range() const override { return {begin, 1ull << 32}; }
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage&, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override {
    fusebox::Run run;
    ++executions;
    for (const Buffer& buffer : buffers) {
      EXPECT_GE(buffer.address, begin);
      EXPECT_LT(buffer.address, begin + (1ull << 32));
      run.outputs.push_back(buffer.contents.empty() ? std::vector<std::byte>(buffer.bytes, std::byte{0xFF})
                                                    : buffer.contents);
      run.written.push_back(!buffer.contents.empty());
    }
    for (const PlanOp& op : plan.ops)
      if (std::holds_alternative<LaunchOp>(op)) {
        LaunchRecord& launch = run.launches.emplace_back();
        for (const Buffer& buffer : buffers)
          if (reads) launch.tensors.push_back({buffer.name, buffer.bytes, 0, 0, buffer.bytes, 0});
      }
    if (refuse) return *refuse;
    if (behave) behave(run);
    if (options.schedule && shuffled) shuffled(run, *options.schedule);
    return run;
  }
  std::function<void(fusebox::Run&)> behave;
  std::function<void(fusebox::Run&, std::uint64_t)> shuffled;  ///< after that, under a schedule
  std::optional<Error> refuse;
  DeviceAddress begin = 0x100000000;
  int executions = 0;
  bool reads = true;  ///< every buffer, in each launch
};

void copies(fusebox::Run& run) {
  run.outputs[1] = run.outputs[0];
  run.written[1] = 1;
}

Puzzle copy_puzzle() {
  Puzzle puzzle;
  puzzle.id = "p99";
  puzzle.slug = "copy";
  puzzle.title = "Copy";
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int)>("copy");
  entry.blanks = {"body"};
  entry.budgets = {{"launches", 1}};
  puzzle.entries = {entry};
  puzzle.cases = {{"n_3", "small", {{"N", 3}}, "normal", false},
                  {"n_8", "counted", {{"N", 8}}, "normal", true}};
  puzzle.make = [](const Case& which, Random& random) {
    const std::int64_t n = which.sizes.at("N");
    Tensor x, out;
    x.name = "x";
    out.name = "out";
    x.shape = out.shape = {n};
    x.values = out.expected = random.normals(n);
    out.role = Role::out;
    return Problem{{x, out, static_cast<std::int32_t>(n)}};
  };
  return puzzle;
}

class GradingTest : public testing::Test {
 protected:
  GradingTest() : folder_(fs::temp_directory_path() / ("fusebox_grading_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("solution.cu", kSolution);
    write("mine.cu", std::string(kSolution) + "// mine\n");
    services_.compile = [this](const SourceFile& source) -> Result<CompileResult> {
      ++compiles_;
      if (source.text.find("syntax error") != std::string::npos)
        return CompileResult{CompileFailure{{{"mine.cu", 4, 7, "error", "expected a \";\""}},
                                            "mine.cu(4): error: expected a \";\"\n"}};
      Artifact artifact;
      artifact.module.ptx = kPtx;
      artifact.module.resources = resources_;
      artifact.functions = {function_};
      artifact.mangled = {"_Z4copy"};
      // Known mistakes come together, each in its namespace.
      if (source.text.find(namespace_name(0)) != std::string::npos) {
        artifact.functions = {namespace_name(0) + "::" + function_};
        artifact.mangled = {"_ZN19" + namespace_name(0) + "4copyE"};
      }
      return CompileResult{artifact};
    };
    services_.record = [this](const RecordRequest& request) -> Result<RecordResult> {
      ++records_;
      last_request_ = request;
      return recorded_;
    };
    services_.device = &device_;
    device_.behave = copies;
    Recording recording;
    recording.plan.ops.push_back(LaunchOp{});
    recorded_ = recording;
  }
  ~GradingTest() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  Grading grading() {
    GradingOptions options;
    options.file = folder_ / "mine.cu";
    options.reference = folder_ / "solution.cu";
    options.seed = 7;
    options.schedules = schedules_;
    options.mutants = mutants_;
    return Grading(puzzle_, services_, options);
  }

  /// Asks for everything, as the command line does.
  Report grade(Grading& g) {
    const Entry& entry = puzzle_.entries[0];
    g.check_file();
    g.check_signature(entry);
    g.check_blanks(entry);
    for (const Case& which : puzzle_.cases) g.check_case(entry, which);
    for (std::size_t i = 0; i < entry.budgets.size(); ++i) g.check_budget(entry, i);
    return g.report();
  }
  Report grade() {
    Grading g = grading();
    Report report = grade(g);
    EXPECT_FALSE(g.error()) << g.error()->what;
    return report;
  }

  static const Check& check(const Report& report, const std::string& name) {
    for (const Check& each : report.entries.at(0).checks)
      if (each.name == name) return each;
    static const Check none;
    ADD_FAILURE() << "no check " << name;
    return none;
  }

  fs::path folder_;
  Puzzle puzzle_ = copy_puzzle();
  Services services_;
  FakeDevice device_;
  std::string function_ = "copy(float const*, float*, int)";
  RecordResult recorded_;
  RecordRequest last_request_;
  std::vector<KernelResources> resources_;
  std::uint64_t schedules_ = 0;
  std::vector<Mutant> mutants_;
  std::atomic<int> compiles_ = 0, records_ = 0;
};

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

/// With a second entry, and a shape at which the first may take 1.2 times as long as the faster of the two.
class JudgedTimeTest : public GradingTest {
 protected:
  JudgedTimeTest() {
    Entry quick = puzzle_.entries[0];
    quick.name = "quick";
    quick.signature.function = "copy_quick";
    puzzle_.entries[0].budgets.push_back({"time.large", 1.2, {"kernel", "quick"}});
    puzzle_.entries.push_back(quick);
    puzzle_.judged_at = {{{"large", "", {{"N", 64}}}, 0, [this](const Case& which) {
                            Random random(1);
                            return puzzle_.make(which, random);
                          }}};
    const auto one = services_.compile;
    services_.compile = [one](const SourceFile& source) -> Result<CompileResult> {
      auto compiled = one(source);
      Artifact& artifact = std::get<Artifact>(compiled.value());
      artifact.functions.push_back("copy_quick(float const*, float*, int)");
      artifact.mangled.push_back("_Z10copy_quick");
      return compiled;
    };
    device_.behave = [this](fusebox::Run& run) {
      copies(run);
      LaunchModel model;
      model.seconds = last_request_.function == "_Z4copy" ? mine_ : 10e-6;
      run.launches[0].model = model;
      if (wrong_) run.outputs[1][5] ^= std::byte{0x40};
    };
  }
  double mine_ = 11e-6;
  bool wrong_ = false;
};

TEST_F(JudgedTimeTest, WhatIsNearlyAsFastPasses) {
  const Report report = grade();
  EXPECT_EQ(check(report, "budget time.large").outcome, Outcome::passed);
  ASSERT_EQ(report.entries[0].budgets.size(), 2u);
  EXPECT_EQ(report.entries[0].budgets[1].student.value, 11e-6);
  EXPECT_DOUBLE_EQ(report.entries[0].budgets[1].limit, 12e-6);
  EXPECT_TRUE(report.entries[0].budgets[1].within);
}

TEST_F(JudgedTimeTest, TheSlowerChoiceFailsAndTheOtherIsNamed) {
  mine_ = 20e-6;
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_THAT(report.verdict_text, HasSubstr("At N64 it takes 20.0 us where `quick` takes 10.0 us"));
  EXPECT_THAT(report.verdict_text, HasSubstr("choose that one"));
  EXPECT_FALSE(report.entries[0].budgets[1].within);
}

TEST_F(JudgedTimeTest, RightAnswersComeFirst) {
  mine_ = 20e-6;
  wrong_ = true;
  const Report report = grade();
  EXPECT_EQ(check(report, "budget time.large").outcome, Outcome::skipped);
  EXPECT_EQ(report.entries[0].budgets.size(), 1u) << "a limit that nobody knows is not shown";
}

/// With a GPU beside the simulator.
class GpuGradingTest : public GradingTest {
 protected:
  GpuGradingTest() {
    services_.gpu_device = &gpu_;
    services_.gpu_name = "Test GPU";
    gpu_.behave = [](fusebox::Run& run) {
      copies(run);
      run.launches[0].time.value = 3e-6;
      run.launches[0].time.source = Source::measured;
    };
    device_.behave = [](fusebox::Run& run) {
      copies(run);
      run.launches[0].counters.warp_instructions = 5;
    };
  }
  static Fault fault(const char* kind) {
    Fault fault;
    fault.kind = kind;
    fault.what = "it went wrong";
    fault.kernel = "copy_kernel";
    return fault;
  }
  FakeDevice gpu_;
};

TEST_F(GpuGradingTest, CountsComeFromTheSimulatorAndTimesFromTheGpu) {
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::passed) << report.verdict_text;
  EXPECT_THAT(check(report, "case n_8").summary, HasSubstr("on the GPU"));
  ASSERT_TRUE(report.entries[0].student);
  const Metric* time = find_metric(report.entries[0].student->metrics, "time.gpu");
  ASSERT_TRUE(time);
  EXPECT_EQ(time->value, 3e-6);
  EXPECT_EQ(time->source, Source::measured);
  EXPECT_EQ(report.entries[0].student->launches[0].counters.warp_instructions, 5u);
}

TEST_F(GpuGradingTest, WrongOnTheGpuAloneFails) {
  gpu_.behave = [](fusebox::Run& run) {
    copies(run);
    run.outputs[1][0] ^= std::byte{0xFF};
  };
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::failed);
  EXPECT_THAT(check(report, "case n_3").summary, HasSubstr("on the Test GPU"));
  EXPECT_THAT(check(report, "case n_3").detail, HasSubstr("the simulator finds nothing wrong"));
}

TEST_F(GpuGradingTest, AFaultOfTheGpuIsAVerdict) {
  gpu_.behave = [](fusebox::Run& run) { run.launches[0].faults.push_back(fault("endless-loop")); };
  const Report report = grade();
  EXPECT_THAT(check(report, "case n_3").summary, HasSubstr("on the Test GPU: it went wrong"));
  ASSERT_TRUE(check(report, "case n_3").fault);
  EXPECT_EQ(check(report, "case n_3").fault->kernel, "copy_kernel");
  EXPECT_EQ(check(report, "case n_8").outcome, Outcome::skipped) << "it would not end there either";
}

TEST_F(GpuGradingTest, WhatTheSimulatorFoundWrongIsNotTriedOnTheGpu) {
  device_.behave = [](fusebox::Run& run) { run.launches[0].faults.push_back(fault("out-of-bounds")); };
  const Report report = grade();
  EXPECT_EQ(check(report, "case n_3").fault->kind, "out-of-bounds");
  EXPECT_EQ(gpu_.executions, 0);
}

TEST_F(GpuGradingTest, WhatTheSimulatorDoesNotKnowIsJudgedOnTheGpu) {
  device_.refuse = Error{ErrorKind::not_passed, "wgmma is not simulated", "run it on a GPU"};
  const Report report = grade();
  EXPECT_EQ(check(report, "case n_3").outcome, Outcome::passed);
  EXPECT_THAT(check(report, "case n_3").summary, HasSubstr("on the Test GPU alone"));
  EXPECT_THAT(check(report, "case n_3").detail, HasSubstr("wgmma is not simulated"));
  EXPECT_EQ(check(report, "budget launches").outcome, Outcome::skipped) << "nothing was counted";
}

TEST_F(GpuGradingTest, AGpuWithOtherAddressesGetsAPlanOfItsOwn) {
  gpu_.begin = 0x500000000;
  const Report report = grade();
  EXPECT_EQ(report.verdict, Outcome::passed) << report.verdict_text;
  EXPECT_GE(last_request_.arguments[0].bits, 0x100000000u);
  EXPECT_GT(records_, 3);
}

TEST_F(GpuGradingTest, AGpuThatIsGoneIsNoVerdict) {
  gpu_.refuse = Error{ErrorKind::missing_part, "the GPU fell off", "look"};
  Grading g = grading();
  grade(g);
  ASSERT_TRUE(g.error());
  EXPECT_EQ(g.error()->kind, ErrorKind::missing_part);
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

TEST_F(GradingTest, MissingMarkersAreNamed) {
  write("mine.cu", "__global__ void copy_kernel() {}\n");
  const Report report = grade();
  EXPECT_THAT(check(report, "file").summary, HasSubstr("markers of `body` are gone"));
  EXPECT_EQ(report.verdict, Outcome::failed);
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
  recorded_ = RecordFailure{"crash", "the host function crashed", "look at its pointers", "before\n"};
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
  Mutant mutant;
  mutant.name = "sign", mutant.says = "the copy with a sign lost", mutant.entry = "kernel",
  mutant.blank = "body";
  mutant.fragment = "  out[0] = -x[0];\n";
  mutants_ = {mutant};
  // One element is no evidence: a name needs eight that tell.
  const Report report = grade();
  ASSERT_TRUE(report.entries[0].cause);
  EXPECT_THAT(report.entries[0].cause->sentence, testing::Not(HasSubstr("the copy with a sign lost")));
}

TEST_F(GradingTest, ASlowCompilerOfKnownMistakesChangesNoWord) {
  device_.behave = [](fusebox::Run& run) {
    copies(run);
    for (std::size_t at = 3; at < run.outputs[1].size(); at += 4) run.outputs[1][at] ^= std::byte{0x80};
  };
  Mutant mutant;
  mutant.name = "sign", mutant.says = "the copy with a sign lost", mutant.entry = "kernel",
  mutant.blank = "body";
  mutant.fragment = "  out[0] = -x[0];\n";
  mutants_ = {mutant};
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
