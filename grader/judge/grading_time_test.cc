// Budgets on the modelled time at shapes that are judged.
#include "grader/judge/grading_testing.h"

namespace fusebox {
namespace {

using namespace grading_testing;

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

}  // namespace
}  // namespace fusebox
