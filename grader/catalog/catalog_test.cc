#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "grader/catalog/build.h"
#include "grader/catalog/puzzle.h"
#include "grader/catalog/puzzle_text.h"

namespace fusebox {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Names of the blanks that a file opens and closes. (The real parser is the toolchain's; this room does not
/// know it.)
std::vector<std::string> marked(const std::string& source, const std::string& pattern) {
  const std::regex marker(pattern);
  std::vector<std::string> names;
  for (std::sregex_iterator it(source.begin(), source.end(), marker), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

std::uint64_t seed_of(const Case& which) { return std::hash<std::string>{}(which.name); }

Problem problem_of(const Puzzle& puzzle, const Case& which, std::uint64_t seed) {
  Random random(seed);
  return puzzle.make(which, random);
}

ParameterKind kind_of(const Argument& argument) {
  if (std::holds_alternative<Tensor>(argument)) return ParameterKind::pointer;
  if (std::holds_alternative<std::int32_t>(argument)) return ParameterKind::int32;
  if (std::holds_alternative<std::int64_t>(argument)) return ParameterKind::int64;
  return ParameterKind::float32;
}

/// The type that a parameter must have to carry this tensor.
std::string type_of(const Tensor& tensor) {
  static const std::map<DType, std::string> names{
      {DType::f32, "float"}, {DType::bf16, "__nv_bfloat16"}, {DType::i32, "int"}, {DType::i64, "long"}};
  return names.at(tensor.dtype) + (tensor.role == Role::in ? " const*" : "*");
}

bool representable(double value, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return as_float(value) == value;
    case DType::bf16:
      return round_to_bf16(value) == value;
    case DType::i32:
      return value == static_cast<double>(static_cast<std::int32_t>(value));
    case DType::i64:
      return value == static_cast<double>(static_cast<std::int64_t>(value));
  }
  return false;
}

class EveryPuzzle : public ::testing::TestWithParam<std::string> {
 protected:
  const Puzzle& puzzle() const { return *find_puzzle(GetParam()); }
  std::filesystem::path solution() const {
    return std::filesystem::path(FUSEBOX_SOURCE_DIR) / "solutions" / puzzle().file_name();
  }
};

TEST_P(EveryPuzzle, IsNamedAndExplained) {
  EXPECT_TRUE(std::regex_match(puzzle().id, std::regex("p[0-9]{2}"))) << puzzle().id;
  EXPECT_TRUE(std::regex_match(puzzle().slug, std::regex("[a-z][a-z0-9_]*"))) << puzzle().slug;
  EXPECT_FALSE(puzzle().title.empty());
  EXPECT_FALSE(puzzle().chapter.empty());
  const TextFiles texts(std::filesystem::path(FUSEBOX_SOURCE_DIR) / "assets" / "puzzles", puzzle());
  const auto hints = load_hints(texts);
  ASSERT_TRUE(hints) << hints.error().what;
  EXPECT_GE(hints->size(), 3u);
  const auto lesson = load_lesson(texts);
  ASSERT_TRUE(lesson) << lesson.error().what;
}

TEST_P(EveryPuzzle, HasCasesThatSayWhatTheyAreForAndOneIsCounted) {
  std::set<std::string> names;
  int counted = 0;
  for (const Case& which : puzzle().cases) {
    EXPECT_TRUE(names.insert(which.name).second) << which.name << " twice";
    EXPECT_TRUE(std::regex_match(which.name, std::regex("[A-Za-z0-9_]+"))) << which.name;
    EXPECT_FALSE(which.purpose.empty()) << which.name;
    counted += which.counted;
  }
  EXPECT_EQ(counted, 1);
}

TEST_P(EveryPuzzle, HasItsFilesAndTheirBlanksAreThoseOfTheEntries) {
  const std::string source = text_of(solution());
  ASSERT_FALSE(source.empty()) << solution();
  std::set<std::string> declared;  // two entries may share a blank
  for (const Entry& entry : puzzle().entries) declared.insert(entry.blanks.begin(), entry.blanks.end());
  EXPECT_THAT(marked(source, "// FILL ME IN: ([a-z0-9_]+) \\(roughly [0-9]+ lines?\\)"),
              ::testing::UnorderedElementsAreArray(declared));
  EXPECT_THAT(marked(source, "// END: ([a-z0-9_]+)"), ::testing::UnorderedElementsAreArray(declared));
  for (const Entry& entry : puzzle().entries)
    EXPECT_THAT(source, HasSubstr("void " + entry.signature.function + "("));
  EXPECT_THAT(source, HasSubstr("grader " + puzzle().id));
  const auto root = std::filesystem::path(FUSEBOX_SOURCE_DIR);
  EXPECT_TRUE(std::filesystem::exists(root / "puzzles" / puzzle().file_name()));
}

TEST_P(EveryPuzzle, HasEntriesWithBudgets) {
  static const std::set<std::string> metrics{"launches",
                                             "bytes.requested",
                                             "bytes.compulsory",
                                             "sectors_over_ideal",
                                             "intermediate_bytes",
                                             "registers",
                                             "shared_bytes",
                                             "bank_conflicts",
                                             "requests",
                                             "waits",
                                             "local_requests",
                                             "atomics",
                                             "flops",
                                             "matrix_flops",
                                             "spill_bytes"};
  ASSERT_FALSE(puzzle().entries.empty());
  for (const Entry& entry : puzzle().entries) {
    EXPECT_FALSE(entry.blanks.empty()) << entry.name;
    for (const Budget& budget : entry.budgets) {
      if (budget.fastest_of.empty()) {
        EXPECT_THAT(metrics, Contains(budget.metric)) << entry.name;
      }
      EXPECT_GE(budget.limit, 0) << budget.metric;
    }
  }
}

TEST_P(EveryPuzzle, JudgesTimesAtShapesThatItHasAgainstEntriesThatItHas) {
  for (const Entry& entry : puzzle().entries)
    for (const Budget& budget : entry.budgets) {
      if (budget.fastest_of.empty()) continue;
      for (const std::string& name : budget.fastest_of) EXPECT_TRUE(puzzle().find_entry(name)) << name;
      EXPECT_GT(budget.limit, 1) << "what takes as long as the fastest must pass";
      const auto& shapes = puzzle().judged_at;
      EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), [&](const FullSizeCase& shape) {
        return budget.metric == "time." + shape.which.name;
      })) << budget.metric;
    }
}

TEST_P(EveryPuzzle, HasAFullSizeBeyondTheCachesWithBudgetsOfItsOwn) {
  // An H200's L2 has 60 MB, of which data can count on 38.
  constexpr std::uint64_t kL2 = 38'000'000, kMax = 700 << 20;
  // A product of matrices is not bound by memory.
  static const std::set<std::string> products{"p14", "p20", "p21", "p33", "p34",
                                              "p35", "p36", "p38", "p39", "p40"};
  ASSERT_TRUE(puzzle().full_size);
  const FullSizeCase& full = *puzzle().full_size;
  EXPECT_FALSE(full.which.purpose.empty());
  const Problem problem = full.arguments(full.which);
  std::uint64_t largest = 0, all = 0;  // what is updated in place moves both ways
  for (const Argument& argument : problem.arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor) continue;
    largest = std::max(largest, tensor->bytes());
    all += tensor->bytes() * (tensor->role == Role::inout ? 2 : 1);
    const bool leads =
        tensor->role != Role::out && (tensor->dtype == DType::i32 || tensor->dtype == DType::i64);
    EXPECT_EQ(tensor->values.empty(), !leads)
        << tensor->name << ": numbers that lead somewhere must be valid";
  }
  EXPECT_LT(all, kMax);
  EXPECT_LE(full.min_bytes, all);
  if (!products.contains(puzzle().id)) {
    EXPECT_GT(largest, kL2);
  }
  for (const Entry& entry : puzzle().entries) {
    ASSERT_EQ(problem.arguments.size(), entry.signature.parameters.size());
    for (std::size_t i = 0; i < problem.arguments.size(); ++i)
      EXPECT_EQ(kind_of(problem.arguments[i]), entry.signature.parameters[i].kind) << i;
    std::set<std::string> metrics;
    for (const Budget& budget : entry.full_size_budgets) {
      metrics.insert(budget.metric);
      EXPECT_GE(budget.limit, 1.1 * static_cast<double>(full.min_bytes) * 0.99) << budget.metric;
    }
    EXPECT_EQ(metrics, (std::set<std::string>{"bytes.dram", "bytes.requested"})) << entry.name;
  }
}

TEST(Catalog, NoTextPointsToAPuzzleThatIsNotInTheBook) {
  namespace fs = std::filesystem;
  const fs::path root = FUSEBOX_SOURCE_DIR;
  const std::regex id("\\bp[0-9]{2}\\b");
  int seen = 0;
  for (const char* folder : {"assets/puzzles", "solutions", "puzzles"})
    for (const auto& file : fs::recursive_directory_iterator(root / folder)) {
      if (file.path().extension() != ".md" && file.path().extension() != ".cu") continue;
      const std::string text = text_of(file.path());
      for (std::sregex_iterator it(text.begin(), text.end(), id), end; it != end; ++it, ++seen)
        EXPECT_NE(find_puzzle(it->str()), nullptr) << it->str() << " in " << file.path();
    }
  EXPECT_GT(seen, 20);
}

TEST_P(EveryPuzzle, HasMutantsOfItsOwnBlanksAndEntries) {
  static const std::map<std::string, std::size_t> wanted_mutants{{"p08", 8}, {"p09", 8}, {"p20", 8},
                                                                 {"p22", 8}, {"p25", 8}, {"p29", 8}};
  const auto wanted = wanted_mutants.find(puzzle().id);
  const auto mutants =
      load_mutants({std::filesystem::path(FUSEBOX_SOURCE_DIR) / "assets" / "puzzles", puzzle()});
  ASSERT_TRUE(mutants) << mutants.error().what;
  EXPECT_GE(mutants->size(), wanted == wanted_mutants.end() ? 4u : wanted->second);
  for (const Mutant& mutant : *mutants) {
    const Entry* entry = puzzle().find_entry(mutant.entry);
    ASSERT_NE(entry, nullptr) << mutant.name;
    EXPECT_THAT(entry->blanks, Contains(mutant.blank)) << mutant.name;
    EXPECT_EQ(mutant.detail.empty(), mutant.reason == Reason::wrong_answer) << mutant.name;
    if (mutant.reason == Reason::over_budget) {
      std::vector<std::string> gated;
      for (const Budget& budget : entry->budgets) gated.push_back(budget.metric);
      EXPECT_THAT(gated, Contains(mutant.detail)) << mutant.name;
    }
  }
}

TEST_P(EveryPuzzle, MakesArgumentsThatFitEverySignature) {
  for (const Case& which : puzzle().cases) {
    SCOPED_TRACE(which.name);
    const Problem problem = problem_of(puzzle(), which, seed_of(which));
    for (const Entry& entry : puzzle().entries) {
      ASSERT_EQ(problem.arguments.size(), entry.signature.parameters.size());
      for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
        const Parameter& parameter = entry.signature.parameters[i];
        EXPECT_EQ(kind_of(problem.arguments[i]), parameter.kind) << i;
        if (const auto* tensor = std::get_if<Tensor>(&problem.arguments[i])) {
          EXPECT_EQ(type_of(*tensor), parameter.type) << tensor->name;
        }
      }
    }
  }
}

/// Whether rows of numbers may be read by pieces of four; nothing where there is but one row, or a table.
std::optional<bool> rows_are_aligned(const Tensor& tensor) {
  const bool is_integer = tensor.dtype == DType::i32 || tensor.dtype == DType::i64;
  if (is_integer || tensor.shape.size() < 2 || tensor.count() <= tensor.shape.back()) return std::nullopt;
  return tensor.shape.back() % 4 == 0;
}

/// What the cases say of the rows of two tensors.
struct RowsOfTwo {
  bool second_alone = false;       ///< in some case only the second's are not aligned
  bool second_unaligned = false;   ///< in some case
  std::set<double> ratios;         ///< of their lengths
  std::set<std::int64_t> lengths;  ///< of the second's
  bool can_differ() const { return second_unaligned && ratios.size() > 1 && lengths.size() > 1; }
};

// Who looks at one tensor's rows and reads those of another one by pieces of four is found in such a case
// alone.
TEST_P(EveryPuzzle, HasACaseInWhichRowsOfEachTensorAloneAreNotAligned) {
  std::map<std::pair<std::string, std::string>, RowsOfTwo> pairs;
  for (const Case& which : puzzle().cases) {
    if (!which.drawn.empty()) continue;  // each seed has others
    const Problem problem = problem_of(puzzle(), which, seed_of(which));
    for (const Argument& one : problem.arguments)
      for (const Argument& other : problem.arguments) {
        const auto *a = std::get_if<Tensor>(&one), *b = std::get_if<Tensor>(&other);
        if (!a || !b || !rows_are_aligned(*a) || !rows_are_aligned(*b)) continue;
        RowsOfTwo& pair = pairs[{a->name, b->name}];
        pair.ratios.insert(static_cast<double>(a->shape.back()) / static_cast<double>(b->shape.back()));
        pair.lengths.insert(b->shape.back());
        pair.second_unaligned = pair.second_unaligned || !*rows_are_aligned(*b);
        pair.second_alone = pair.second_alone || (*rows_are_aligned(*a) && !*rows_are_aligned(*b));
      }
  }
  for (const auto& [names, pair] : pairs)
    EXPECT_TRUE(pair.second_alone || !pair.can_differ())
        << "no case has rows of " << names.first << " that are a multiple of four long, and others of "
        << names.second;
}

// Who goes wrong where there are several tiles of one axis and of another is found in such a case alone.
TEST_P(EveryPuzzle, HasACaseInWhichEachTwoSizesAreLargeTogether) {
  constexpr std::int64_t kLarge = 64;  // two warps, or two tiles
  std::set<std::string> large;
  std::set<std::pair<std::string, std::string>> in_one_case, together;
  for (const Case& which : puzzle().cases) {
    if (!which.drawn.empty()) continue;  // each seed has others
    for (const auto& [one, length] : which.sizes) {
      if (one == "step") continue;  // which is no length
      if (length >= kLarge) large.insert(one);
      for (const auto& [other, its] : which.sizes) {
        in_one_case.insert({one, other});
        if (length >= kLarge && its >= kLarge) together.insert({one, other});
      }
    }
  }
  for (const auto& pair : in_one_case) {
    const bool are_large = large.contains(pair.first) && large.contains(pair.second);
    EXPECT_TRUE(!are_large || together.contains(pair)) << pair.first << " and " << pair.second;
  }
}

TEST_P(EveryPuzzle, DrawsExactInputsAndFiniteAnswersWithAToleranceThatIsExplained) {
  for (const Case& which : puzzle().cases) {
    SCOPED_TRACE(which.name);
    const Problem problem = problem_of(puzzle(), which, seed_of(which));
    for (const Argument& argument : problem.arguments) {
      const auto* tensor = std::get_if<Tensor>(&argument);
      if (!tensor) continue;
      const auto count = static_cast<std::size_t>(tensor->count());
      EXPECT_EQ(tensor->values.size(), tensor->role == Role::out ? 0 : count) << tensor->name;
      EXPECT_EQ(tensor->expected.size(), tensor->role == Role::in ? 0 : count) << tensor->name;
      for (double value : tensor->values)
        ASSERT_TRUE(representable(value, tensor->dtype)) << tensor->name << value;
      for (double value : tensor->expected) ASSERT_TRUE(std::isfinite(value)) << tensor->name;
      if (tensor->role == Role::in) continue;
      EXPECT_GE(tensor->tolerance.absolute, 0) << tensor->name;
      EXPECT_LT(tensor->tolerance.absolute, 1) << tensor->name;
      EXPECT_FALSE(tensor->tolerance.reason.empty()) << tensor->name;
    }
  }
}

TEST_P(EveryPuzzle, DrawsTheSameForOneSeedAndSomethingElseForAnother) {
  const Case& which = puzzle().counted_case();
  const auto values = [&](std::uint64_t seed) {
    std::vector<double> all;
    for (const Argument& argument : problem_of(puzzle(), which, seed).arguments)
      if (const auto* tensor = std::get_if<Tensor>(&argument)) {
        all.insert(all.end(), tensor->values.begin(), tensor->values.end());
        all.insert(all.end(), tensor->expected.begin(), tensor->expected.end());
      }
    return all;
  };
  EXPECT_EQ(values(7), values(7));
  EXPECT_NE(values(7), values(8));
}

std::vector<std::string> every_id() {
  std::vector<std::string> ids;
  for (const Puzzle& puzzle : puzzles()) ids.push_back(puzzle.id);
  return ids;
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryPuzzle);
INSTANTIATE_TEST_SUITE_P(Catalog, EveryPuzzle, ::testing::ValuesIn(every_id()),
                         [](const auto& info) { return info.param; });

TEST(Catalog, IdsAndSlugsAreUniqueAndInOrder) {
  std::set<std::string> ids, slugs;
  std::string previous;
  for (const Puzzle& puzzle : puzzles()) {
    EXPECT_TRUE(ids.insert(puzzle.id).second) << puzzle.id;
    EXPECT_TRUE(slugs.insert(puzzle.slug).second) << puzzle.slug;
    EXPECT_LT(previous, puzzle.id);
    previous = puzzle.id;
  }
  EXPECT_THAT(ids, Contains("p20"));
}

TEST(Catalog, FindsAPuzzleByAnyOfItsNames) {
  for (const char* name :
       {"p20", "20", "P20", "layernorm_linear", "p20_layernorm_linear", "p20_layernorm_linear.cu"}) {
    const Puzzle* found = find_puzzle(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->id, "p20") << name;
  }
  for (const char* name : {"p04", "4", "04", "p4"}) {
    const Puzzle* found = find_puzzle(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->id, "p04") << name;
  }
  for (const char* name : {"", "p", "p99", "200", "020", "layernorm", "p20_", "../p20"})
    EXPECT_EQ(find_puzzle(name), nullptr) << name;
}

TEST(Catalog, ProposesTheNearestNames) {
  EXPECT_EQ(nearest_puzzles("layernorm_linaer").front(), "layernorm_linear");
  EXPECT_EQ(nearest_puzzles("gelu").front(), "bias_gelu");
  EXPECT_THAT(nearest_puzzles("p20x"), Contains("p20"));
  EXPECT_LE(nearest_puzzles("").size(), 3u);
}

/// The tensor called `name` of a problem.
const Tensor& tensor_of(const Problem& problem, std::string_view name) {
  for (const Argument& argument : problem.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && tensor->name == name) return *tensor;
  ADD_FAILURE() << "no tensor " << name;
  std::abort();
}

Problem problem_of(const std::string& id, const std::string& which) {
  const Puzzle& puzzle = *find_puzzle(id);
  for (const Case& candidate : puzzle.cases)
    if (candidate.name == which) return problem_of(puzzle, candidate, 11);
  ADD_FAILURE() << id << " has no case " << which;
  std::abort();
}

TEST(BiasGelu, OracleIsTheTanhFormAndItsToleranceRefusesTheErfForm) {
  const Problem problem = problem_of("p04", "near_2_70");
  const Tensor &x = tensor_of(problem, "x"), &bias = tensor_of(problem, "bias"),
               &out = tensor_of(problem, "out");
  double furthest = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double v = x.values[i] + bias.values[i % bias.values.size()];
    // 0.5 (1 + tanh t) = 1 / (1 + e^-2t), with 2 sqrt(2 / pi) = 1.5957691216057308
    const double t = 1.5957691216057308 * (v + 0.044715 * v * v * v);
    EXPECT_NEAR(out.expected[i], v / (1 + std::exp(-t)), 1e-14);
    furthest = std::max(furthest, std::fabs(out.expected[i] - 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)))));
  }
  EXPECT_NEAR(furthest, 4.73e-4, 1e-6);
  EXPECT_LT(out.tolerance.absolute + 3 * out.tolerance.relative, furthest / 50);
}

TEST(LayerNormLinear, OracleOfOneValueIsBetaTimesWeightPlusBias) {
  // x is its own mean, so that what is left of LayerNorm is beta.
  const Problem problem = problem_of("p20", "single");
  const double beta = tensor_of(problem, "beta").values[0], weight = tensor_of(problem, "weight").values[0];
  EXPECT_NEAR(tensor_of(problem, "out").expected[0], beta * weight + tensor_of(problem, "bias").values[0],
              1e-15);
}

TEST(LayerNormLinear, OracleOfAPairByHand) {
  const Problem problem = problem_of("p20", "pair");
  const auto values = [&](const char* name) { return tensor_of(problem, name).values; };
  const auto x = values("x"), gamma = values("gamma"), beta = values("beta"), weight = values("weight"),
             bias = values("bias");
  // Of two values the mean is the middle, and both are half their distance away from it.
  const std::size_t row = 1, o = 2;
  const double half = (x[2 * row] - x[2 * row + 1]) / 2, rstd = 1 / std::sqrt(half * half + as_float(1e-5f));
  const double first = half * rstd * gamma[0] + beta[0], second = -half * rstd * gamma[1] + beta[1];
  EXPECT_NEAR(tensor_of(problem, "out").expected[row * 3 + o],
              first * weight[2 * o] + second * weight[2 * o + 1] + bias[o], 1e-13);
}

}  // namespace
}  // namespace fusebox
