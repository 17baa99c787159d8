#include "grader/judge/patterns/find.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

template <class F>
WrongCase scaled_case(const char* name, std::int64_t rows, std::int64_t columns, F factor) {
  WrongCase wrong{name, right_matrix(rows, columns, static_cast<std::uint64_t>(rows * columns))};
  set_all(wrong.output, [&](auto, auto, double e) { return factor(columns) * e; });
  return wrong;
}

TEST(Explain, WhatANumberIsHasToHoldInEveryCase) {
  const auto half = [](auto) { return 0.5; };
  const auto one_over_n = [](std::int64_t n) { return 1.0 / static_cast<double>(n); };
  // 1/N is a half in the first case as well.
  auto first = scaled_case("pair", 8, 2, one_over_n);
  first.output.numbers[1].value = 2;
  auto said = explain(std::vector{scaled_case("a", 4, 10, one_over_n), scaled_case("b", 4, 20, one_over_n)});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0].sentences, ElementsAre("`out` is 1/N times what it should be."));
  EXPECT_EQ(said[0].patterns[0].evidence, "in 2 of 2 failing cases, 120 of 120 wrong elements");
  EXPECT_EQ(said[0].only_in, "");
  said = explain(std::vector{scaled_case("a", 4, 10, half), scaled_case("b", 4, 20, half)});
  EXPECT_THAT(said[0].sentences, ElementsAre("`out` is 1/2 times what it should be."));
  said =
      explain(std::vector{scaled_case("a", 4, 10, half), scaled_case("b", 4, 20, [](auto) { return 0.7; })});
  EXPECT_THAT(said[0].sentences,
              ElementsAre("`out` is a constant times what it should be, another one in each case."));
}

TEST(Explain, ASmallCaseCanRefuteAndNotConfirm) {
  const auto twice = [](auto) { return 2.0; };
  auto small = scaled_case("single", 1, 1, twice);
  EXPECT_THAT(explain(std::vector{small})[0].sentences, IsEmpty());
  auto said = explain(std::vector{small, scaled_case("large", 4, 10, twice)});
  EXPECT_THAT(said[0].sentences, ElementsAre("`out` is 2 times what it should be."));
  // The one element is as it should be plus one and something: not twice, and no constant.
  small.output.got[0] = std::nan("");
  said = explain(std::vector{small, scaled_case("large", 4, 10, twice)});
  EXPECT_EQ(said[0].only_in, "large");
  EXPECT_THAT(said[0].sentences, ElementsAre(StartsWith("`out` is 2 times what it should be everywhere")));
}

TEST(Explain, WhatIsTrueOfOneCaseAloneIsNotLookedForWhereTheCauseIsKnown) {
  auto small = scaled_case("single", 1, 1, [](auto) { return 2.0; });
  small.output.got[0] = std::nan("");
  const std::vector cases{small, scaled_case("large", 4, 10, [](auto) { return 2.0; })};
  EXPECT_THAT(explain(cases, [] { return true; })[0].sentences, IsEmpty());
  EXPECT_EQ(explain(cases, [] { return false; })[0].only_in, "large");
  // What holds in all cases is said with any cause.
  const std::vector all{scaled_case("large", 4, 10, [](auto) { return 2.0; })};
  EXPECT_THAT(explain(all, [] { return true; })[0].sentences, testing::SizeIs(1));
}

TEST(Explain, ANumberOfOneCaseThatAnotherRefutesIsAnAccident) {
  auto constant = scaled_case("one_channel", 40, 1, [](auto) { return 1.0; });
  set_all(constant.output, [](auto, auto, double e) { return e + 0.01; });
  auto curved = scaled_case("large", 8, 40, [](auto) { return 1.0; });
  set_all(curved.output, [](auto, auto, double e) { return e + 0.01 * std::sin(5 * e); });
  EXPECT_THAT(explain(std::vector{constant})[0].sentences, Not(IsEmpty()));
  EXPECT_THAT(explain(std::vector{constant, curved})[0].sentences, IsEmpty());
}

TEST(Explain, ColumnsFromTheBlocksSizeOn) {
  std::vector<WrongCase> cases;
  for (const std::int64_t columns : {257, 300, 1000}) {
    WrongCase wrong{"case", right_matrix(5, columns)};
    wrong.output.launches = {{"kernel", {5, 1, 1}, {256, 1, 1}, {}}};
    leave_out(wrong.output, [](auto, auto c) { return c >= 256; });
    cases.push_back(std::move(wrong));
  }
  const auto said = explain(cases);
  EXPECT_THAT(
      said[0].sentences,
      ElementsAre("Columns 256 and on (256 is the number of threads in a block) of `out` were never written, "
                  "nothing else."));
}

TEST(Explain, OnlyWholeGroups) {
  std::vector<WrongCase> cases;
  for (const std::int64_t columns : {7, 31, 33, 100, 300}) {
    WrongCase wrong{"case", right_matrix(9, columns)};
    leave_out(wrong.output, [&](auto, auto c) { return c >= columns / 32 * 32; });
    cases.push_back(std::move(wrong));
  }
  EXPECT_THAT(
      explain(cases)[0].sentences,
      ElementsAre("Columns behind the last whole group of 32 of `out` were never written, nothing else."));
}

TEST(Explain, WholeGroupsAreTheBlocksWhereTheyMayBe) {
  std::vector<WrongCase> cases;
  for (const std::int64_t columns : {7, 31, 1025, 2100}) {
    WrongCase wrong{"case", right_matrix(9, columns)};
    wrong.output.launches = {{"kernel", {9, 1, 1}, {512, 1, 1}, {}}};
    leave_out(wrong.output, [&](auto, auto c) { return c >= columns / 512 * 512; });
    cases.push_back(std::move(wrong));
  }
  // All of these are whole groups of 1024, too.
  EXPECT_THAT(explain(cases)[0].sentences, ElementsAre(HasSubstr("behind the last whole group of 512 of")));
}

TEST(Explain, WhatTheFirstWarpOfABlockAloneGetsRight) {
  std::vector<WrongCase> cases;
  for (const std::int64_t columns : {33, 70, 300, 700}) {
    WrongCase wrong{"case", right_matrix(9, columns)};
    wrong.output.launches = {{"kernel", {9, 1, 1}, {256, 1, 1}, {}}};
    set_all(wrong.output,
            [](auto r, auto c, double e) { return c % 256 < 32 ? e : std::sin(r + 3 * c) + 5; });
    cases.push_back(std::move(wrong));
  }
  EXPECT_THAT(
      explain(cases)[0].sentences,
      ElementsAre("Columns that a block's first warp does not have of `out` are wrong, nothing else; what "
                  "the first warp knows has not reached the others."));
  // One element of the first warp that is wrong, in a long row: it is something else.
  cases[3].output.got[256 + 3] += 1;
  EXPECT_THAT(explain(cases)[0].sentences, Not(ElementsAre(HasSubstr("first warp"))));
}

TEST(Explain, AValueOfSomeElementsIsNotSaidOfAll) {
  std::vector<WrongCase> cases;
  for (const std::int64_t rows : {9, 20}) {
    WrongCase wrong{"case", right_matrix(rows, 16)};
    set_all(wrong.output, [](auto r, auto, double e) { return r % 3 == 0 || r == 5 ? 0 : e; });
    cases.push_back(std::move(wrong));
  }
  EXPECT_THAT(explain(cases)[0].sentences, testing::Contains("`out` is 0 where it is wrong."));
  for (WrongCase& wrong : cases) set_all(wrong.output, [](auto, auto, double) { return 0; });
  EXPECT_THAT(explain(cases)[0].sentences, testing::Contains("`out` is 0."));
}

TEST(Explain, EachOutputByItself) {
  WrongCase out = scaled_case("a", 4, 10, [](auto) { return 2.0; });
  WrongCase mean = scaled_case("a", 4, 10, [](auto) { return 3.0; });
  mean.output.tensor.name = "mean";
  const auto said = explain(std::vector{out, mean});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].tensor, "out");
  EXPECT_EQ(said[1].tensor, "mean");
  EXPECT_THAT(said[1].sentences, ElementsAre(HasSubstr("`mean` is 3 times")));
  EXPECT_THAT(said[1].corner, HasSubstr("*"));
}

TEST(Find, ValuesAndPlaceAreBothSaid) {
  WrongOutput output = right_matrix(8, 40);
  set_all(output, [](auto, auto c, double e) { return c >= 32 ? 0 : e; });
  EXPECT_THAT(
      sentences(find_patterns(output)),
      ElementsAre("`out` is 0 in all 64 wrong elements.",
                  "Columns 32 and on of `out` are wrong, nothing else; whole groups of 32 end there."));
}

TEST(Find, WhatIsMoreSimplyTrueIsSaidAlone) {
  WrongOutput output = right_matrix(8, 40);
  set_all(output, [](auto, auto, double e) { return 2 * e; });
  EXPECT_EQ(find_patterns(output).size(), 1u);
  set_all(output, [](auto, auto, double) { return 0; });
  EXPECT_EQ(find_patterns(output).size(), 1u);
}

TEST(Find, NothingToSay) {
  EXPECT_THAT(find_patterns(right_matrix(8, 40)), IsEmpty());
  WrongOutput lacking = right_matrix(8, 40);
  lacking.got.resize(10);
  EXPECT_THAT(fitting_patterns(lacking), IsEmpty());
  EXPECT_THAT(explain({}), IsEmpty());
  WrongOutput nothing = right_matrix(0, 0);
  EXPECT_THAT(fitting_patterns(nothing), IsEmpty());
}

TEST(Explain, FewElementsAgreeWithErrorsOfANarrowType) {
  const auto narrow = [](const char* name, std::int64_t rows, std::int64_t columns, double size) {
    WrongCase wrong{name, right_matrix(rows, columns)};
    Random random(12);
    set_all(wrong.output, [&](auto, auto, double e) { return e + size * random.normal(); });
    return wrong;
  };
  auto said = explain(std::vector{narrow("small", 2, 3, 2e-3), narrow("large", 20, 40, 2e-3)});
  EXPECT_EQ(said[0].only_in, "");
  EXPECT_THAT(said[0].sentences, ElementsAre(HasSubstr("as large as those of bf16, not of fp32")));
  // Errors of half a value's size are another thing, and speak against it.
  said = explain(std::vector{narrow("small", 2, 3, 1), narrow("large", 20, 40, 2e-3)});
  EXPECT_THAT(said[0].sentences, Not(Contains(HasSubstr("bf16"))));
  // Infinities do not.
  WrongCase infinite = narrow("infinite", 2, 3, 1);
  set_all(infinite.output, [](auto, auto, double) { return INFINITY; });
  said = explain(std::vector{infinite, narrow("large", 20, 40, 2e-3)});
  EXPECT_EQ(said[0].only_in, "large");
  EXPECT_THAT(said[0].sentences, ElementsAre(HasSubstr("as large as those of bf16, not of fp32")));
}

/// A wrong answer that has nothing to do with anything, in one of many ways.
WrongOutput unrelated(std::uint64_t seed) {
  Random random(seed);
  WrongOutput output = right_matrix(1 + random.below(12), 1 + random.below(70), seed);
  output.launches = {{"kernel",
                      {static_cast<std::uint32_t>(1 + random.below(8)), 1, 1},
                      {static_cast<std::uint32_t>(32 * (1 + random.below(8))), 1, 1},
                      {}}};
  const double tolerances[] = {0, 1e-6, 1e-3, 0.05, 0.5};
  output.tensor.tolerance = {tolerances[random.below(5)], random.below(2) ? 1e-6 : 0, "test"};
  output.before = random.normals(static_cast<std::int64_t>(output.got.size()));
  const auto kind = random.below(6), some = 1 + random.below(3);
  const auto& x = output.others[2].values;
  std::size_t i = 0;
  set_all(output, [&](auto, auto, double e) {
    const double in = x[i++];
    if (random.below(some) != 0) return e;
    switch (kind) {
      case 0:
        return random.normal(0, 2);
      case 1:
        return e * random.uniform(0.5, 3);
      case 2:
        return e + random.uniform(-3, 3);
      case 3:
        return std::tanh(in) * e + 0.1 * in * in;
      case 4:
        return std::exp(e) - in;
      default:
        return static_cast<double>(random.below(7)) - 3;
    }
  });
  return output;
}

TEST(Find, OfUnrelatedAnswersOnlyThePlaceIsTold) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const WrongOutput output = unrelated(seed);
    for (const Pattern& pattern : find_patterns(output))
      EXPECT_EQ(pattern.kind, Kind::place) << "seed " << seed << ": " << pattern.sentence;
  }
}

/// Answers of three values: much agrees with much by chance.
TEST(Find, WhatChanceDoesAsWellIsNotTold) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    WrongOutput output = right_matrix(4 + random.below(6), 4 + random.below(12), seed);
    output.tensor.tolerance = {0, 0, "a copy"};
    const auto any = [&] { return static_cast<double>(1 + random.below(3)); };
    for (double& e : output.tensor.expected) e = any();
    for (NamedTensor& tensor : output.others)
      for (double& v : tensor.values) v = any();
    set_all(output, [&](auto, auto, double e) { return random.below(3) == 0 ? any() : e; });
    for (const Pattern& pattern : find_patterns(output))
      EXPECT_EQ(pattern.kind, Kind::place) << "seed " << seed << ": " << pattern.sentence;
  }
}

TEST(Find, TheSameAnswerGivesTheSameWords) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_EQ(all_sentences(unrelated(seed)), all_sentences(unrelated(seed)));
}

}  // namespace
}  // namespace fusebox::patterns
