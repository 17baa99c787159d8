// Grading with a GPU beside the simulator.
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/grading_testing.h"

namespace fusebox {
namespace {

using namespace grading_testing;

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

TEST_F(GpuGradingTest, WhatTheSimulatorFoundWrongIsExplainedWithoutTheGpu) {
  // Both cases are wrong, and right as soon as anything else is tried.
  device_.behave = [this](fusebox::Run& run) { device_.executions <= 2 ? loses_signs(run) : copies(run); };
  grade();
  const int tried = device_.executions, on_gpu = gpu_.executions;
  mutants_ = {sign_lost()};
  device_.executions = gpu_.executions = 0;
  EXPECT_EQ(grade().verdict, Outcome::failed);
  EXPECT_GT(device_.executions, tried) << "the known mistake was tried";
  EXPECT_EQ(gpu_.executions, on_gpu);
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

}  // namespace
}  // namespace fusebox
