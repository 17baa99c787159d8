#include "grader/judge/patterns/from_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/judge/patterns/find.h"

namespace fusebox::patterns {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// Calls visit(puzzle, case, problem, tensor) for every output of every case.
template <class Visit>
void each_output(Visit visit) {
  for (const Puzzle& puzzle : puzzles())
    for (const Case& which : puzzle.cases) {
      Random random(17);
      const Problem problem = puzzle.make(which, random);
      for (const Argument& argument : problem.arguments)
        if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && tensor->role != Role::in)
          visit(puzzle, which, problem, *tensor);
    }
}

TEST(FromProblem, TwiceTheAnswerIsToldOfEveryPuzzle) {
  std::map<std::string, std::vector<WrongCase>> cases;
  each_output([&](const Puzzle& puzzle, const Case& which, const Problem& problem, const Tensor& tensor) {
    if (tensor.dtype == DType::i32) return;  // twice a choice of 0 or 1 is one value wherever it is wrong
    std::vector<double> got;
    for (const double e : tensor.expected) got.push_back(static_cast<float>(2 * e));
    cases[puzzle.id].push_back({which.name, wrong_output(problem, which.sizes, tensor, got, {})});
  });
  EXPECT_EQ(cases.size(), puzzles().size());
  for (auto& [id, wrong] : cases) {
    // A case that came out right by luck is not among those that failed.
    std::erase_if(wrong, [](const WrongCase& c) { return c.output.got == c.output.tensor.expected; });
    for (const Explanation& explanation : explain(wrong)) {
      ASSERT_FALSE(explanation.sentences.empty()) << id << " " << explanation.tensor;
      // Where the answer is an input, both are the same.
      EXPECT_THAT(explanation.sentences[0],
                  AnyOf(HasSubstr("is 2 times what it should be"), HasSubstr("is added once more")))
          << id;
      EXPECT_EQ(explanation.only_in, "") << id << " " << explanation.tensor;
    }
  }
}

TEST(FromProblem, NothingIsToldOfNoise) {
  each_output([&](const Puzzle& puzzle, const Case& which, const Problem& problem, const Tensor& tensor) {
    Random random(99);
    std::vector<double> got;
    for (const double e : tensor.expected)
      got.push_back(static_cast<float>(e + random.normal(0, 1 + std::abs(e))));
    for (const Pattern& pattern : find_patterns(wrong_output(problem, which.sizes, tensor, got, {})))
      EXPECT_EQ(pattern.kind, Kind::place) << puzzle.id << " " << which.name << ": " << pattern.sentence;
  });
}

TEST(FromProblem, AParameterThatIsNotAdded) {
  std::vector<WrongCase> cases;
  each_output([&](const Puzzle& puzzle, const Case& which, const Problem& problem, const Tensor& tensor) {
    if (puzzle.id != "p20") return;
    const auto& bias = std::get<Tensor>(problem.arguments[4]);
    std::vector<double> got = tensor.expected;
    for (std::size_t i = 0; i < got.size(); ++i)
      got[i] = static_cast<float>(got[i] - bias.values[i % bias.values.size()]);
    cases.push_back({which.name, wrong_output(problem, which.sizes, tensor, got, {})});
  });
  const auto said = explain(cases);
  ASSERT_EQ(said.size(), 1u);
  ASSERT_FALSE(said[0].sentences.empty());
  EXPECT_EQ(said[0].sentences[0],
            "`out` is what it should be minus `bias`[column], as when `bias` is not added.");
  EXPECT_THAT(said[0].patterns[0].evidence, HasSubstr("in 11 of 11 failing cases"));
}

TEST(FromProblem, ChangesScalarsAndOldValues) {
  each_output([&](const Puzzle& puzzle, const Case& which, const Problem& problem, const Tensor& tensor) {
    if (puzzle.id != "p29" || which.name != "count_257" || tensor.role != Role::inout) return;
    std::vector<double> got;
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      got.push_back(static_cast<float>(tensor.values[i] + 3 * (tensor.expected[i] - tensor.values[i])));
    auto found = find_patterns(wrong_output(problem, which.sizes, tensor, got, {}));
    ASSERT_FALSE(found.empty()) << tensor.name;
    EXPECT_THAT(found[0].sentence,
                HasSubstr("the change of `" + tensor.name + "` is 3 times what it should be"));
    found = find_patterns(wrong_output(problem, which.sizes, tensor, tensor.values, {}));
    ASSERT_FALSE(found.empty()) << tensor.name;
    EXPECT_THAT(found[0].sentence, HasSubstr("is what it was before the call"));
  });
}

}  // namespace
}  // namespace fusebox::patterns
