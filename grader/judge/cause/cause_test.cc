#include "grader/judge/cause/cause.h"

#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CauseTest : public played::Played {
 protected:
  Cause cause(const std::string& first, const std::string& second) {
    const Suspect& s = suspect(first, second);
    std::vector<Check> checks;
    for (const CaseAnswer& answer : s.cases) checks.push_back(answer.result->check);
    Findings findings = find_cause(s, checks);
    EXPECT_TRUE(findings.cause);
    return findings.cause ? *findings.cause : Cause{};
  }
  void give_a_formula() {
    puzzle.formula = [] {
      Formula f;
      f.axes = {{"element", {"N"}}};
      const Term x = tensor(f, "x", {"element"});
      output(1 + (2 * x).named("middle"), "out");
      return f;
    };
  }
};

// What is given, and which sentence with which certainty.
TEST_F(CauseTest, AKnownMistakeIsNamedWithItsEvidence) {
  know("second", "one too much", "plus two");
  const Cause found = cause("double", "plus two");
  EXPECT_EQ(found.sentence, "In `second`: this is one too much.");
  EXPECT_EQ(found.evidence, "equal in 3 of 3 wrong cases, in 124 elements that are not the right answer");
}

TEST_F(CauseTest, TwoKnownMistakesThatRemainAreBothSaid) {
  know("second", "one too much", "plus two");
  know("second", "two and not one", "plus two at last");
  EXPECT_EQ(cause("double", "plus two").sentence,
            "In `second`: this is one too much; or two and not one: the cases cannot tell which.");
}

TEST_F(CauseTest, AKnownMistakeThatWasMadeInAnotherBlankIsNotSaidOfItsOwn) {
  know("second", "one too much", "plus two");
  EXPECT_EQ(cause("double and plus two", "plus one").sentence,
            "In `first`: the answers are those of one too much.");
}

TEST_F(CauseTest, TheSameWordsTwiceAreSaidOnce) {
  know("second", "one too much", "plus two");
  know("second", "one too much", "plus two at last");
  EXPECT_EQ(cause("double", "plus two").sentence, "In `second`: this is one too much.");
}

TEST_F(CauseTest, WithoutAKnownMistakeTheBlankTheLaunchAndTheNumbers) {
  const Cause found = cause("double", "plus two");
  EXPECT_THAT(found.sentence, HasSubstr("Blank `second` is wrong by itself"));
  EXPECT_THAT(found.sentence,
              HasSubstr("launch 2 of 2, `second_kernel`, is the first whose result is wrong"));
  EXPECT_THAT(found.sentence, HasSubstr("`out` is what it should be + 1"));
}

TEST_F(CauseTest, OneMistakeInTheFormulaIsSaidBeforeWhatTheNumbersAre) {
  give_a_formula();
  const Cause found = cause("double", "minus one");
  EXPECT_THAT(found.sentence,
              HasSubstr("`out` is exactly what comes out when 1 is subtracted instead of added"));
  EXPECT_THAT(found.evidence, HasSubstr("equal in 3 of 3 wrong cases"));
  EXPECT_THAT(found.details, testing::Not(testing::IsEmpty())) << "what the numbers are comes behind";
}

TEST_F(CauseTest, AKnownMistakeComesBeforeTheFormula) {
  give_a_formula();
  know("second", "one too little", "minus one");
  EXPECT_THAT(cause("double", "minus one").sentence,
              AllOf(HasSubstr("one too little"), Not(HasSubstr("exactly"))));
}

TEST_F(CauseTest, AnUninitialisedReadSaysWhichLaunchSkipsIt) {
  const Cause found = cause("half written", "plus one");
  EXPECT_THAT(
      found.sentence,
      HasSubstr("Launch 1 of 2, `first_kernel`, leaves a part of `middle` unwritten, which is read later"));
  EXPECT_THAT(found.sentence, HasSubstr("elements 20 and on"));
  ASSERT_FALSE(found.details.empty());
  EXPECT_THAT(found.details[0], HasSubstr("ninitialised read")) << "the fault itself comes behind";
}

TEST_F(CauseTest, ALaunchThatIsRefusedComesBeforeWrongAnswers) {
  suspect("double", "plus two");
  CaseResult refused = results[0];
  refused.wrong_answer = false;
  refused.check.summary = "The launch is refused: the grid's x is 0.";
  made->cases[0].result = &refused;
  const auto findings = find_cause(*made, {});
  ASSERT_TRUE(findings.cause);
  EXPECT_EQ(findings.cause->sentence, "The launch is refused: the grid's x is 0.");
  EXPECT_EQ(findings.cause->evidence, "case small; so in 1 of 3 cases");
}

TEST_F(CauseTest, WhatOnlyFailsBeyondItsOwnCallIsMendedByNothing) {
  // As at a second call or at full size: any change of the text would find the case right.
  int compiled = 0;
  services.compile = [&compiled](const SourceFile& file) -> Result<CompileResult> {
    ++compiled;
    return CompileResult{artifact_of(file)};
  };
  const std::string launch =
      "\nvoid played(const float* x, float* y, int count) {\n  first_kernel<<<count / 8, 32>>>(x, y, count);\n}";
  for (const bool by_itself : {true, false}) {
    suspect("double", (by_itself ? "plus two" : "plus one") + launch);
    results[0].check.outcome = Outcome::failed;
    results[0].check.summary = "The launch is refused: the grid's x is 0.";
    results[0].wrong_answer = false;
    compiled = 0;
    find_cause(*made, {});
    EXPECT_EQ(compiled > 0, by_itself);
  }
}

TEST_F(CauseTest, WhoLaunchesInOneCaseAndNotInAnotherKnowsHow) {
  for (const bool other_ran : {true, false}) {
    suspect("double", "plus two");
    results[0].executed = results[0].wrong_answer = false;
    results[0].no_kernel = true;
    for (std::size_t i = 1; i < results.size(); ++i) results[i].executed = other_ran;
    const auto findings = find_cause(*made, {});
    ASSERT_TRUE(findings.cause);
    EXPECT_EQ(findings.cause->sentence.find("in case small, and it does in case large") != std::string::npos,
              other_ran)
        << findings.cause->sentence;
  }
}

TEST_F(CauseTest, ANaNIsToldByTheLineThatMakesItOfNumbers) {
  const Cause found = cause("double", "no number");
  EXPECT_THAT(found.sentence, HasSubstr("NaN begins in line 2, where 0 / 0 is worked out; "));
  EXPECT_EQ(found.line, 2);
  EXPECT_THAT(cause("double", "no number in two lines").sentence,
              HasSubstr("NaN begins in line 2 or 3, where 0 / 0 is worked out; "));
  // Of several numbers, or in more lines, some may do no harm.
  EXPECT_THAT(cause("double", "no number in two lines of two kinds").sentence, Not(HasSubstr("NaN begins")));
  EXPECT_THAT(cause("double", "no number in two lines and three").sentence, Not(HasSubstr("NaN begins")));
  // Its lines are not the learner's.
  EXPECT_THAT(cause("double", "no number in a header").sentence, Not(HasSubstr("NaN begins")));
}

TEST_F(CauseTest, NothingWrongHasNoCause) {
  const Suspect& s = suspect("double", "plus one");
  EXPECT_FALSE(find_cause(s, {}).cause);
}

}  // namespace
}  // namespace fusebox
