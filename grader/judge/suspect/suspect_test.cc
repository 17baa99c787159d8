#include "grader/judge/suspect/suspect.h"

#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

using SuspectTest = played::Played;
using Verdict = BlankTrial::Verdict;

std::vector<std::string> names(const std::vector<KnownMistake>& mistakes) {
  std::vector<std::string> all;
  for (const KnownMistake& mistake : mistakes) all.push_back(mistake.mutant->says);
  return all;
}

TEST_F(SuspectTest, AKnownMistakeMustAgreeInEveryCase) {
  know("first", "three times", "triple");
  know("second", "one too much", "plus two");
  EXPECT_THAT(names(known_mistakes(suspect("triple", "plus one"))), testing::ElementsAre("three times"));
  EXPECT_THAT(names(known_mistakes(suspect("double", "plus two"))), testing::ElementsAre("one too much"));
  EXPECT_THAT(names(known_mistakes(suspect("triple", "plus two"))), testing::IsEmpty());
  EXPECT_THAT(names(known_mistakes(suspect("double", "minus one"))), testing::IsEmpty());
  EXPECT_THAT(names(known_mistakes(suspect("double", "plus one"))), testing::IsEmpty()) << "nothing is wrong";
}

TEST_F(SuspectTest, TwoThatCannotBeToldApartBothRemain) {
  know("first", "three times", "triple");
  know("first", "twice and once more", "triple at last");
  EXPECT_THAT(names(known_mistakes(suspect("triple", "plus one"))),
              testing::ElementsAre("three times", "twice and once more"));
}

TEST_F(SuspectTest, SevenElementsNameNothing) {
  know("first", "three times", "triple");
  for (Case& which : puzzle.cases) which.sizes["N"] = 2;
  EXPECT_THAT(names(known_mistakes(suspect("triple", "plus one"))), testing::IsEmpty());
}

TEST_F(SuspectTest, EachBlankAloneInTheReference) {
  struct Row {
    const char *first, *second;
    Verdict of_first, of_second;
  };
  const Row rows[] = {
      {"triple", "plus one", Verdict::wrong, Verdict::right},
      {"double", "plus two", Verdict::right, Verdict::wrong},
      {"triple", "plus two", Verdict::wrong, Verdict::wrong},
  };
  for (const Row& row : rows) {
    const Suspect& s = suspect(row.first, row.second);
    const auto trials = try_blanks(s, compile_blanks(s));
    ASSERT_EQ(trials.size(), 2u);
    EXPECT_EQ(trials[0].verdict, row.of_first) << row.first << row.second;
    EXPECT_EQ(trials[1].verdict, row.of_second) << row.first << row.second;
  }
}

TEST_F(SuspectTest, RacesAreLookedForWhereTheLearnersFileWasLookedAt) {
  const Suspect& s = suspect("triple", "plus one");
  try_blanks(s, compile_blanks(s));
  EXPECT_THAT(device.raced, testing::Contains(4));
  EXPECT_THAT(device.raced, testing::Not(testing::Contains(80))) << "the counted case is too large for it";
}

TEST_F(SuspectTest, ABlankThatDoesNotCompileAloneIsUnknown) {
  Suspect s = suspect("double", "plus two");
  const auto programs = compile_blanks(s);
  auto without = programs;
  without[1].reset();
  EXPECT_EQ(try_blanks(s, without)[1].verdict, Verdict::unknown);
}

TEST_F(SuspectTest, WrongCasesComeSmallestFirst) {
  const auto wrong = suspect("triple", "plus one").wrong();
  ASSERT_EQ(wrong.size(), 3u);
  EXPECT_EQ(wrong[0]->which->name, "small");
  EXPECT_EQ(telling_case(wrong)->which->name, "large") << "the largest but for the counted one";
}

TEST(SameButForIndentation, OnlySpaceAroundLinesAndEmptyLinesMayDiffer) {
  EXPECT_TRUE(same_but_for_indentation("  if (a)\n\n    b;\r\n", "if (a)\nb;"));
  EXPECT_FALSE(same_but_for_indentation("a; // b\nc;\n", "a; // b c;\n"));
  EXPECT_FALSE(same_but_for_indentation("a + +b;\n", "a ++b;\n"));
  EXPECT_FALSE(same_but_for_indentation("a;\nb;\n", "b;\na;\n"));
}

}  // namespace
}  // namespace fusebox
