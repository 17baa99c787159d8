// The workbook proves itself: solutions pass, skeletons are unsolved, every known mistake is found out. With
// the real compiler.
#include "grader/judge/workshop/workbook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/grading.h"
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
    auto nvcc = find_checkout_compiler();
    if (!nvcc) return problem = nvcc.error().what, nullptr;
    parts.reset(new Parts{Toolchain(*nvcc, build / "cache"),
                          Recorder(build / "bin" / "recorder"),
                          sim::Simulator(*gpu),
                          sim::Simulator(*gpu),
                          {}});
    Workbook& w = parts->workbook;
    w.paths = {root, build / "bin", ""};
    w.seed = 20;
    Parts* p = parts.get();
    const auto compiler = [p, root](auto compile) {
      return [p, root, compile](const SourceFile& source) {
        return (p->toolchain.*compile)(source.text, source.path.lexically_relative(root).string(), "90");
      };
    };
    w.services.compile = compiler(&Toolchain::compile_text);
    w.services.compile_module = compiler(&Toolchain::compile_module);
    w.services.compile_device_code = compiler(&Toolchain::compile_device_code);
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
  // What an author is shown says something about this puzzle: a case that kills, a tolerance with room for
  // what is right, a budget that separates.
  EXPECT_TRUE(
      std::any_of(proof.cases.begin(), proof.cases.end(), [](const auto& row) { return row.kills > 0; }));
  ASSERT_TRUE(proof.tolerance);
  EXPECT_LE(proof.tolerance->worst_right, 1);
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

/// One line of assets/puzzles/*/numbers.txt: what a lesson says, and what must come out so.
struct LessonNumber {
  /// Empty: the reference on the counted case. Else at full size: "reference", "optimized", or a known
  /// mistake's name.
  std::string full;
  std::string entry, quantity, text;
  double scale = 1, value = 0;
};
std::vector<LessonNumber> lesson_numbers(const fs::path& file) {
  std::vector<LessonNumber> numbers;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    LessonNumber number;
    std::string slash, equals, colon;
    std::istringstream words(line);
    if (line.starts_with("full ")) words >> slash >> number.full;
    words >> number.entry >> number.quantity >> slash >> number.scale >> equals >> number.value >> colon >>
        std::ws;
    std::getline(words, number.text);
    EXPECT_TRUE(slash == "/" && equals == "=" && colon == ":" && !number.text.empty()) << line;
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<double> quantity_of(const SideRun& run, const std::string& quantity) {
  if (const Metric* metric = find_metric(run.metrics, quantity)) return metric->value;
  static const std::map<std::string, std::uint64_t TensorTraffic::*> fields{
      {"requested_read", &TensorTraffic::requested_read},
      {"requested_write", &TensorTraffic::requested_write},
      {"compulsory_read", &TensorTraffic::compulsory_read},
      {"compulsory_write", &TensorTraffic::compulsory_write}};
  const std::size_t dot = quantity.find('.');
  const auto field = fields.find(quantity.substr(dot == std::string::npos ? 0 : dot + 1));
  if (field == fields.end()) return std::nullopt;
  for (const TensorTraffic& tensor : ledger_of(run.launches))
    if (tensor.tensor == quantity.substr(0, dot)) return static_cast<double>(tensor.*field->second);
  return std::nullopt;
}

GradingOptions solution_of(const Puzzle& puzzle, const Workbook& book) {
  GradingOptions options;
  options.file = options.reference = book.paths.solutions() / puzzle.file_name();
  options.seed = book.seed;
  return options;
}

/// A file at full size; `share` 1: all of its blocks are run.
FullSize full_size_of(const Puzzle& puzzle, const Workbook& book, const std::optional<std::string>& text,
                      const std::vector<std::string>& entries, unsigned share) {
  GradingOptions options = solution_of(puzzle, book);
  options.text = text;
  options.entries = entries;
  // Of another file than the reference it alone is asked for.
  if (text) options.reference_use = ReferenceUse::never;
  Grading grading(puzzle, book.services, options);
  grading.check_file();
  for (const Entry* entry : grading.entries()) grading.check_case(*entry, puzzle.counted_case());
  Report report = grading.report();
  FullSizeOptions full;
  full.share = share;
  full.seconds = 0;  // no clock decides here
  grading.run_full_size(report, full, false);
  return report.full_size.value_or(FullSize{});
}

/// Files of one puzzle at full size: what several tests look at is carried out once.
class FullSizes {
 public:
  FullSizes(const Puzzle& puzzle, const Workbook& book) : puzzle_(puzzle), book_(book) {}

  /// See full_size_of(); no text: the reference, all entries of it.
  const FullSize& of(const std::optional<std::string>& text, const std::vector<std::string>& entries,
                     unsigned share = FullSizeOptions{}.share) {
    const auto [run, fresh] = runs_.try_emplace({text, entries, share});
    if (fresh) run->second = full_size_of(puzzle_, book_, text, entries, share);
    return run->second;
  }

 private:
  const Puzzle& puzzle_;
  const Workbook& book_;
  std::map<std::tuple<std::optional<std::string>, std::vector<std::string>, unsigned>, FullSize> runs_;
};

/// An entry's numbers; null: it has none.
const FullSizeRun* run_of(const FullSize& full, const std::string& entry) {
  for (const auto& each : full.entries)
    if (each.entry == entry) return each.student ? &*each.student : nullptr;
  return nullptr;
}

/// The text of the file that a lesson's number at full size is of.
std::optional<std::string> full_size_text(const Puzzle& puzzle, const Workbook& book, const std::string& of) {
  if (of == "optimized") {
    const auto file = read_source(book.paths.optimized() / puzzle.file_name());
    return file ? std::optional(file->text) : std::nullopt;
  }
  const auto reference = read_source(book.paths.solutions() / puzzle.file_name());
  const auto mutants = load_mutants({book.paths.texts(), puzzle});
  if (!reference || !mutants) return std::nullopt;
  for (const Mutant& mutant : *mutants)
    if (mutant.name == of)
      if (const auto file = with_mistake(*reference, mutant)) return file->text;
  return std::nullopt;
}

/// Modelled seconds ("time") or bytes ("dram", "requested") of a call of an entry at full size.
std::optional<double> full_size_quantity(const FullSizeRun& run, const std::string& quantity) {
  if (!run.problem.empty()) return std::nullopt;
  if (quantity == "time") return run.seconds;
  if (quantity == "dram") return static_cast<double>(run.dram_bytes());
  if (quantity == "requested") return static_cast<double>(run.requested_bytes);
  return std::nullopt;
}

void expect_what_the_lesson_says(const Puzzle& puzzle, const Workbook& book, FullSizes& sizes) {
  const TextFiles texts(book.paths.texts(), puzzle);
  const auto lesson = load_lesson(texts);
  ASSERT_TRUE(lesson);
  for (const LessonNumber& number : lesson_numbers(texts.lesson.parent_path() / "numbers.txt")) {
    if (number.full.empty()) continue;
    SCOPED_TRACE(number.full + " " + number.entry + " " + number.quantity);
    EXPECT_NE(lesson->find(number.text), std::string::npos) << "the lesson no longer says: " << number.text;
    std::optional<std::string> text;
    std::vector<std::string> entries;
    if (number.full != "reference") {
      text = full_size_text(puzzle, book, number.full);
      ASSERT_TRUE(text) << "there is no such file or mistake";
      entries = {number.entry};
    }
    const FullSizeRun* run = run_of(sizes.of(text, entries), number.entry);
    ASSERT_TRUE(run);
    const auto modelled = full_size_quantity(*run, number.quantity);
    ASSERT_TRUE(modelled) << run->problem;
    EXPECT_NEAR(*modelled / number.scale, number.value, 0.5);
  }
}

TEST_P(WorkbookTest, LessonsSayWhatARunCounts) {
  std::string problem;
  const Workbook* book = workbook(problem);
  ASSERT_NE(book, nullptr) << problem;
  const Puzzle& puzzle = *find_puzzle(GetParam());
  const TextFiles texts(book->paths.texts(), puzzle);
  const auto lesson = load_lesson(texts);
  ASSERT_TRUE(lesson);
  Grading grading(puzzle, book->services, solution_of(puzzle, *book));
  grading.check_file();
  for (const Entry& entry : puzzle.entries) grading.check_case(entry, puzzle.counted_case());
  const Report report = grading.report();
  const auto numbers = lesson_numbers(texts.lesson.parent_path() / "numbers.txt");
  EXPECT_FALSE(numbers.empty());
  for (const LessonNumber& number : numbers) {
    if (!number.full.empty()) continue;
    SCOPED_TRACE(number.entry + " " + number.quantity);
    EXPECT_NE(lesson->find(number.text), std::string::npos) << "the lesson no longer says: " << number.text;
    const auto entry = std::find_if(report.entries.begin(), report.entries.end(),
                                    [&](const EntryReport& e) { return e.entry == number.entry; });
    ASSERT_TRUE(entry != report.entries.end() && entry->student);
    const auto counted = quantity_of(*entry->student, number.quantity);
    ASSERT_TRUE(counted);
    EXPECT_NEAR(*counted / number.scale, number.value, number.scale == 1 ? 0.005 : 0.5);
  }
}

/// Some of the blocks against all of them, of everything that a reader is shown.
void expect_same_numbers(const FullSizeRun& some, const FullSizeRun& whole) {
  ASSERT_EQ(some.problem, "");
  ASSERT_EQ(whole.problem, "");
  EXPECT_EQ(whole.blocks_run, whole.blocks);
  ASSERT_EQ(some.launches.size(), whole.launches.size());
  for (std::size_t i = 0; i < whole.launches.size(); ++i) {
    const LaunchRecord &a = some.launches[i], &b = whole.launches[i];
    SCOPED_TRACE(a.kernel);
    EXPECT_TRUE(a.counters == b.counters);
    EXPECT_TRUE(a.tensors == b.tensors);
    EXPECT_TRUE(a.lines == b.lines);
    if (!b.model) continue;
    EXPECT_EQ(a.model->bound_by, b.model->bound_by);
    // A term that does not bind counts too, and blocks that were not run may have waited a little longer.
    EXPECT_NEAR(a.model->seconds, b.model->seconds, 0.05 * b.model->seconds);
  }
  const auto dram = static_cast<double>(whole.dram_bytes());
  EXPECT_NEAR(static_cast<double>(some.dram_bytes()), dram, 0.02 * dram);
}

/// What a sentence says but for its numbers: two that are 1 % apart may be rounded to different ones.
std::string words_of(std::string sentence) {
  std::erase_if(sentence, [](unsigned char letter) { return std::isdigit(letter) != 0 || letter == '.'; });
  return sentence;
}

void expect_within_budgets(const Puzzle& puzzle, FullSizes& sizes) {
  const FullSize& whole = sizes.of(std::nullopt, {}, 1);
  // Where all blocks are run in any case, once is enough.
  const FullSize& some = puzzle.full_size->whole ? whole : sizes.of(std::nullopt, {});
  ASSERT_EQ(whole.entries.size(), puzzle.entries.size());
  for (std::size_t i = 0; i < whole.entries.size(); ++i) {
    SCOPED_TRACE(whole.entries[i].entry);
    ASSERT_TRUE(some.entries[i].student && whole.entries[i].student);
    expect_same_numbers(*some.entries[i].student, *whole.entries[i].student);
    EXPECT_EQ(some.entries[i].student->blocks_run < some.entries[i].student->blocks,
              !puzzle.full_size->whole);
    for (const FullSizeBudget& line : some.entries[i].budgets)
      EXPECT_TRUE(line.within) << line.student.tag << " " << line.student.value.value_or(-1) << " > "
                               << line.limit;
  }
  EXPECT_FALSE(some.sentence.empty());
  EXPECT_EQ(words_of(some.sentence), words_of(whole.sentence));
}

/// What takes too much, as well.
void expect_some_blocks_tell_of_mistakes(const Puzzle& puzzle, const Workbook& book, FullSizes& sizes) {
  if (puzzle.full_size->whole) return;  // all blocks are run in any case
  const auto mutants = load_mutants({book.paths.texts(), puzzle});
  const auto reference = read_source(book.paths.solutions() / puzzle.file_name());
  ASSERT_TRUE(mutants && reference);
  // The first of each entry: whole runs of all were more than a third of what the workbook's tests take.
  std::set<std::string> entries;
  for (const Mutant& mutant : *mutants) {
    if (mutant.reason != Reason::over_budget || !entries.insert(mutant.entry).second) continue;
    SCOPED_TRACE(mutant.name);
    const auto file = with_mistake(*reference, mutant);
    ASSERT_TRUE(file);
    const FullSizeRun *whole = run_of(sizes.of(file->text, {mutant.entry}, 1), mutant.entry),
                      *some = run_of(sizes.of(file->text, {mutant.entry}), mutant.entry);
    ASSERT_TRUE(some && whole);
    expect_same_numbers(*some, *whole);
  }
}

/// In lessons, budgets and the model; and some of the blocks tell what all do.
TEST_P(WorkbookTest, FullSize) {
  std::string problem;
  const Workbook* book = workbook(problem);
  ASSERT_NE(book, nullptr) << problem;
  const Puzzle& puzzle = *find_puzzle(GetParam());
  ASSERT_TRUE(puzzle.full_size);
  FullSizes sizes(puzzle, *book);
  expect_what_the_lesson_says(puzzle, *book, sizes);
  expect_within_budgets(puzzle, sizes);
  expect_some_blocks_tell_of_mistakes(puzzle, *book, sizes);
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
