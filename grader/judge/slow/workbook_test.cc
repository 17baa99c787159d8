// The workbook proves itself: solutions pass, skeletons are unsolved, every known mistake is found out. With
// the real compiler.
#include "grader/judge/workbook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "grader/simulator/simulator.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// One machine for all tests of the process.
const Workbook* workbook(std::string& problem) {
  struct Parts {
    Toolchain toolchain;
    Recorder recorder;
    sim::Simulator device, second;
    Workbook workbook;
  };
  static std::unique_ptr<Parts> parts;
  const fs::path root = FUSEBOX_SOURCE_DIR, build = FUSEBOX_BINARY_DIR;
  if (!parts) {
    auto gpu = load_gpu_profile(root / "assets", "h200");
    if (!gpu) return problem = gpu.error().what, nullptr;
    auto compiler = find_checkout_compiler();
    if (!compiler) return problem = compiler.error().what, nullptr;
    parts.reset(new Parts{Toolchain(*compiler, build / "cache"),
                          Recorder(build / "bin" / "recorder"),
                          sim::Simulator(*gpu),
                          sim::Simulator(*gpu),
                          {}});
    Workbook& w = parts->workbook;
    w.puzzles = root / "puzzles";
    w.solutions = root / "solutions";
    w.texts = root / "assets" / "puzzles";
    w.seed = 20;
    Parts* p = parts.get();
    w.services.compile = [p, root](const SourceFile& source) {
      return p->toolchain.compile_text(source.text, source.path.lexically_relative(root).string(), "90");
    };
    w.services.record = [p](const RecordRequest& request) { return p->recorder.record(request); };
    w.services.device = &p->device;
    w.services.reference_device = &p->second;
    w.services.gpu = *gpu;
  }
  return &parts->workbook;
}

using Rules = std::function<std::vector<Check>(const Puzzle&, const Workbook&)>;

void expect_kept(const std::string& id, const Rules& rules) {
  const Puzzle* puzzle = find_puzzle(id);
  ASSERT_NE(puzzle, nullptr);
  std::string problem;
  const Workbook* book = workbook(problem);
  ASSERT_NE(book, nullptr) << problem;
  const auto checks = rules(*puzzle, *book);
  EXPECT_FALSE(checks.empty());
  for (const Check& check : checks)
    EXPECT_EQ(check.outcome, Outcome::passed) << id << ": " << check.name << ": " << check.summary;
}

class WorkbookTest : public testing::TestWithParam<std::string> {};

TEST_P(WorkbookTest, Files) { expect_kept(GetParam(), check_puzzle_files); }
TEST_P(WorkbookTest, Unsolved) { expect_kept(GetParam(), check_unsolved); }
TEST_P(WorkbookTest, Solution) { expect_kept(GetParam(), check_solutions); }
TEST_P(WorkbookTest, Mutants) {
  Proof proof;
  const auto mutants = [&](const Puzzle& puzzle, const Workbook& book) {
    return check_mutants(puzzle, book, proof);
  };
  expect_kept(GetParam(), mutants);
  // What an author is shown says something about this puzzle: a case that kills, a tolerance with room on
  // both sides, a budget that separates.
  EXPECT_TRUE(
      std::any_of(proof.cases.begin(), proof.cases.end(), [](const auto& row) { return row.kills > 0; }));
  ASSERT_TRUE(proof.tolerance);
  EXPECT_LE(proof.tolerance->worst_right, 1);
  EXPECT_GT(proof.tolerance->mildest_wrong, 1);
  EXPECT_TRUE(
      std::any_of(proof.budgets.begin(), proof.budgets.end(), [](const auto& row) { return row.nearest; }));
}
TEST_P(WorkbookTest, NothingIsLeftToWrite) {
  std::string problem;
  const Workbook* book = workbook(problem);
  ASSERT_NE(book, nullptr) << problem;
  const Puzzle& puzzle = *find_puzzle(GetParam());
  const auto spec = fs::path(FUSEBOX_SOURCE_DIR) / "grader" / "catalog" / "specs" /
                    fs::path(puzzle.file_name()).replace_extension(".cc");
  ASSERT_TRUE(fs::exists(spec));
  for (const ToWrite& place : still_to_write(puzzle, *book, spec))
    ADD_FAILURE() << place.file << ":" << place.line;
}

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const Puzzle& puzzle : puzzles()) result.push_back(puzzle.id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Puzzles, WorkbookTest, testing::ValuesIn(ids()),
                         [](const auto& info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WorkbookTest);

TEST(Workbook, Shelves) {
  std::string problem;
  const Workbook* book = workbook(problem);
  ASSERT_NE(book, nullptr) << problem;
  for (const Check& check : check_shelves(*book))
    EXPECT_EQ(check.outcome, Outcome::passed) << check.name << ": " << check.summary;
}

}  // namespace
}  // namespace fusebox
