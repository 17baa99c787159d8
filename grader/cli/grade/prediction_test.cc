#include "grader/cli/grade/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

using testing::HasSubstr;

TEST(Prediction, IsReadAsItIsTyped) {
  const std::vector<std::string> tensors{"x", "out"};
  const struct {
    const char* typed;
    Prediction read;
  } good[] = {
      {"", {}},
      {"  ", {}},
      {"2", {2, {}}},
      {" 1 x=3  out=0.5 ", {1, {{"x", 3}, {"out", 0.5}}}},
      {"x=1", {std::nullopt, {{"x", 1}}}},
  };
  for (const auto& c : good) {
    const auto read = parse_prediction(c.typed, tensors);
    ASSERT_TRUE(read.ok()) << c.typed;
    EXPECT_EQ(*read, c.read) << c.typed;
  }
  for (const char* typed :
       {"two", "1 2", "1.5", "-1", "y=1", "x=", "x=-1", "x=nan", "x=1e99", "=1", "1;x=1"}) {
    const auto read = parse_prediction(typed, tensors);
    ASSERT_FALSE(read.ok()) << typed;
    EXPECT_THAT(read.error().remedy, HasSubstr("x, out")) << typed;
  }
}

TEST(Prediction, AsksOfTheLastEntryByItsTensors) {
  const std::string question = prediction_question(*find_puzzle("p20"));
  EXPECT_THAT(question, HasSubstr("of `fused`"));
  EXPECT_THAT(question, HasSubstr("x, gamma, beta, weight, bias, out"));
}

Report counted() {
  Report report;
  EntryReport unfused, fused;
  unfused.entry = "unfused";
  fused.entry = "fused";
  SideRun run;
  run.metrics = {{"launches", "launches", "", Unit::count, 1.0}};
  LaunchRecord launch;
  launch.tensors = {{"x", 1024, 8192, 0, 1024, 0}, {"out", 1024, 0, 1024, 0, 1056}};
  run.launches = {launch};
  fused.student = fused.reference = run;
  report.entries = {unfused, fused};
  return report;
}

TEST(Prediction, IsScoredInASentence) {
  const Report report = counted();
  const struct {
    Prediction guess;
    const char* sentence;
  } cases[] = {
      {{}, ""},
      {{1, {}}, "Your guess: 1 of 1 right."},
      {{1, {{"x", 1}, {"out", 1}}}, "Your guess: 3 of 3 right."},
      {{2, {{"x", 8}, {"weight", 0}}},
       "Your guess: 1 of 3 right; launches 1, you guessed 2; `x` 1x, you guessed 8x."},
  };
  for (const auto& c : cases) EXPECT_EQ(score(c.guess, report), c.sentence);
}

TEST(Prediction, IsHeldAgainstTheReferenceWhereNothingElseRan) {
  Report report = counted();
  report.entries[1].student.reset();
  EXPECT_EQ(score({1, {}}, report), "Your guess, held against the reference: 1 of 1 right.");
  report.entries[1].reference.reset();
  EXPECT_EQ(score({1, {}}, report), "") << "it waits for something to be counted";
  EXPECT_EQ(score({1, {}}, Report{}), "");
}

}  // namespace
}  // namespace fusebox
