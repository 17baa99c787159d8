#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/source_file.h"
#include "grader/judge/workshop/workbook_rule.h"
#include "grader/toolchain/blanks.h"

// The rules that are found out by reading: nothing is compiled here.

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMinHints = 3, kMinMutants = 4;
constexpr std::string_view kToWrite = "WRITE:";

void check_texts(const Puzzle& puzzle, const Workbook& workbook, std::vector<Check>& checks) {
  const TextFiles files(workbook.paths.texts(), puzzle);
  const auto lesson = load_lesson(files);
  checks.push_back(rule("lesson", lesson.ok(), lesson.ok() ? "" : lesson.error().what));
  const auto hints = load_hints(files);
  checks.push_back(rule("hints", hints.ok(), hints.ok() ? "" : hints.error().what));
  if (hints)
    checks.push_back(rule("at least three hints", hints->size() >= kMinHints,
                          fmt::format("{} has {}", files.hints.string(), hints->size())));
}

void check_cases(const Puzzle& puzzle, std::vector<Check>& checks) {
  const auto counted =
      std::count_if(puzzle.cases.begin(), puzzle.cases.end(), [](const Case& c) { return c.counted; });
  checks.push_back(rule("one counted case", counted == 1, fmt::format("{} are", counted)));
  std::set<std::string> cases;
  for (const Case& which : puzzle.cases) cases.insert(which.name);
  checks.push_back(
      rule("names of cases", cases.size() == puzzle.cases.size(), "two cases have the same name"));
}

/// Why a mutant cannot be what it says, with the line of its heading; empty when it can.
std::string flaw_of(const Mutant& mutant, const Puzzle& puzzle, const SourceFile& solution) {
  const Entry* entry = puzzle.find_entry(mutant.entry);
  if (!entry) return fmt::format("{} has no entry `{}`", puzzle.id, mutant.entry);
  const auto has = [&](const std::string& blank) { return blank == mutant.blank; };
  if (std::none_of(entry->blanks.begin(), entry->blanks.end(), has))
    return fmt::format("entry `{}` needs no blank `{}`", mutant.entry, mutant.blank);
  const auto gated = [&](const Budget& budget) { return budget.metric == mutant.detail; };
  if (mutant.reason == Reason::over_budget &&
      std::none_of(entry->budgets.begin(), entry->budgets.end(), gated))
    return fmt::format("entry `{}` has no budget on {}", mutant.entry, mutant.detail);
  const auto made = with_mistake(solution, mutant);
  if (!made) return made.error().what;
  return made->text == solution.text ? "it changes nothing" : "";
}

void check_mutants_list(const Puzzle& puzzle, const Workbook& workbook, const SourceFile& solution,
                        std::vector<Check>& checks) {
  const TextFiles files(workbook.paths.texts(), puzzle);
  const auto mutants = load_mutants(files);
  checks.push_back(rule("known mistakes", mutants.ok(), mutants.ok() ? "" : mutants.error().what));
  if (!mutants) return;
  for (const Mutant& mutant : *mutants) {
    const std::string flaw = flaw_of(mutant, puzzle, solution);
    checks.push_back(rule("mutant " + mutant.name + " can be made", flaw.empty(),
                          fmt::format("{}:{}: {}", files.mutants.string(), mutant.line, flaw)));
  }
  checks.push_back(rule("at least four known mistakes", mutants->size() >= kMinMutants,
                        fmt::format("{} has {}", files.mutants.string(), mutants->size())));
}

/// Adds the lines of a file that are marked for the author.
void find_marks(const fs::path& path, std::vector<ToWrite>& found) {
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (const auto at = line.find(kToWrite); at != line.npos)
      found.push_back(
          {path, number,
           line.substr(std::min(line.find_first_not_of(' ', at + kToWrite.size()), line.size()))});
}

}  // namespace

std::vector<Check> check_puzzle_files(const Puzzle& puzzle, const Workbook& workbook) {
  std::vector<Check> checks;
  check_texts(puzzle, workbook, checks);
  check_cases(puzzle, checks);

  const auto solution = read_source(workbook.paths.solutions() / puzzle.file_name());
  checks.push_back(rule("solution", solution.ok(), solution.ok() ? "" : solution.error().what));
  if (!solution) return checks;
  const auto blanks = find_blanks(solution->text);
  checks.push_back(rule("blanks well formed", blanks.ok(), blanks.ok() ? "" : blanks.error().what));
  if (!blanks) return checks;
  std::set<std::string> marked, needed;
  bool filled = true;
  for (const Blank& blank : blanks.value()) marked.insert(blank.name), filled &= !blank.empty;
  for (const Entry& entry : puzzle.entries) needed.insert(entry.blanks.begin(), entry.blanks.end());
  checks.push_back(rule("blanks as in the spec", marked == needed && !needed.empty(),
                        fmt::format("the solution marks {}; the spec names {}", fmt::join(marked, ", "),
                                    fmt::join(needed, ", "))));
  checks.push_back(rule("solution is filled in", filled, "a blank of the solution is empty"));

  const auto skeleton = strip_blanks(solution->text);
  const auto given = read_source(workbook.paths.puzzles() / puzzle.file_name());
  checks.push_back(rule("puzzle is the stripped solution",
                        skeleton.ok() && given.ok() && *skeleton == given->text,
                        "run `./fusebox dev skeletons`"));
  check_mutants_list(puzzle, workbook, *solution, checks);
  return checks;
}

std::vector<ToWrite> still_to_write(const Puzzle& puzzle, const Workbook& workbook, const fs::path& spec) {
  const TextFiles texts(workbook.paths.texts(), puzzle);
  std::vector<ToWrite> found;
  for (const fs::path& path :
       {workbook.paths.solutions() / puzzle.file_name(), spec, texts.lesson, texts.hints, texts.mutants})
    find_marks(path, found);
  return found;
}

std::vector<Check> check_shelves(const Workbook& workbook) {
  std::vector<Check> checks;
  std::set<std::string> ids, slugs, files, folders;
  for (const Puzzle& puzzle : puzzles()) {
    checks.push_back(rule(puzzle.id + " is the only one",
                          ids.insert(puzzle.id).second && slugs.insert(puzzle.slug).second,
                          "its id or slug occurs twice"));
    files.insert(puzzle.file_name());
    folders.insert(fs::path(puzzle.file_name()).stem());
  }
  const auto no_strays = [&](const fs::path& folder, const std::set<std::string>& known) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path file = entry.path();
      // What `grader reset` keeps is the learner's.
      if (file.extension() == ".bak" || file == workbook.paths.optimized() ||
          known.contains(file.filename().string()))
        continue;
      checks.push_back(rule("stray file", false, fmt::format("{} belongs to no puzzle", file.string())));
    }
  };
  no_strays(workbook.paths.puzzles(), files), no_strays(workbook.paths.solutions(), files);
  no_strays(workbook.paths.optimized(), files), no_strays(workbook.paths.texts(), folders);
  return checks;
}

}  // namespace fusebox
