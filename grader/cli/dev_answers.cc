#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/machine.h"
#include "grader/cli/render_entry.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"
#include "grader/judge/answers.h"
#include "grader/judge/grading.h"

namespace fusebox {
namespace {

constexpr std::uint64_t kSeed = 1;

struct Graded {
  Fared how = Fared::symptom;
  std::string sentence;
  std::string trouble;  ///< it could not be graded
};

Graded grade(const Answer& answer, const House& house, const Services& services) {
  Graded result;
  const Puzzle* puzzle = find_puzzle(answer.puzzle);
  const auto solution = puzzle ? read_source(house.solutions / puzzle->file_name())
                               : Result<SourceFile>(Error{ErrorKind::missing_part, "no such puzzle", ""});
  const auto text = solution ? file_of(answer, solution->text) : Result<std::string>(solution.error());
  if (!text) {
    result.trouble = text.error().what;
    return result;
  }
  GradingOptions options;
  options.file = house.puzzles / puzzle->file_name();
  options.text = *text;
  options.reference = house.solutions / puzzle->file_name();
  options.seed = kSeed;
  if (!answer.right) options.entries = {answer.entry};
  if (auto mutants = load_mutants({house.texts(), *puzzle})) options.mutants = std::move(*mutants);
  Grading grading(*puzzle, services, options);
  for (const Entry* entry : grading.entries()) {
    grading.check_file();
    grading.check_signature(*entry);
    grading.check_blanks(*entry);
    for (const Case& which : puzzle->cases) grading.check_case(*entry, which);
    for (std::size_t i = 0; i < entry->budgets.size(); ++i) grading.check_budget(*entry, i);
  }
  const Report report = grading.report();
  if (grading.error()) {
    result.trouble = grading.error()->what;
    return result;
  }
  std::string printed = report.verdict_text;
  // All that could be printed, whatever there is room for.
  for (const EntryReport& entry : report.entries)
    printed += "\n" + (entry.cause ? render_cause(*entry.cause, Style(), SIZE_MAX) : "") +
               render_checks(entry, Style(), false);
  result.how = fared(answer, report, printed);
  result.sentence = first_sentence(report);
  return result;
}

/// A line for each class of wrong answers, one for the right ones, and one for all.
std::string summary(const std::vector<Answer>& answers, const std::vector<Graded>& results) {
  std::map<std::string, std::array<int, 7>> classes;
  std::array<int, 7> wrong{}, right{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto how = static_cast<std::size_t>(results[i].how);
    if (answers[i].right) {
      ++right[how];
      continue;
    }
    ++wrong[how];
    ++classes[answers[i].kind][how];
  }
  std::vector<std::vector<std::string>> rows{
      {"class", "named", "symptom", "misleading", "false", "passed", "all"}};
  const auto add = [&](const std::string& name, const std::array<int, 7>& counts) {
    int all = 0;
    std::vector<std::string> row{name};
    for (std::size_t how = 0; how < 5; ++how) {
      all += counts[how];
      row.push_back(counts[how] == 0 ? "" : std::to_string(counts[how]));
    }
    row.push_back(std::to_string(all));
    rows.push_back(std::move(row));
  };
  for (const auto& [name, counts] : classes) add(name, counts);
  add("wrong answers", wrong);
  return table(rows) + fmt::format("  right answers: {} passed, {} rejected\n",
                                   right[static_cast<std::size_t>(Fared::right)],
                                   right[static_cast<std::size_t>(Fared::rejected)]);
}

}  // namespace

int dev_answers_verb(const House& house, const Options& options) {
  Options counted = options;
  counted.backend = "sim";
  auto machine = Machine::open(house, counted);
  if (!machine) return fail(machine.error());
  std::string only;
  if (!options.puzzle.empty()) {
    const auto puzzle = asked_puzzle(options);
    if (!puzzle) return fail(puzzle.error());
    only = (*puzzle)->id;
  }
  auto answers = read_answers(house.root / "grader" / "testdata" / "answers", only);
  if (!answers) return fail(answers.error());
  // What is held is looked at last, and only when asked for.
  if (!options.held) std::erase_if(*answers, [](const Answer& answer) { return answer.held; });

  const Services services = (*machine)->services();
  std::vector<Graded> results(answers->size());
  std::atomic<std::size_t> next = 0;
  std::mutex printing;
  const auto work = [&](Device* device) {
    Services own = services;
    own.device = device;
    own.reference_device = nullptr;
    for (std::size_t i; (i = next++) < answers->size();) {
      results[i] = grade((*answers)[i], house, own);
      const std::lock_guard lock(printing);
      const bool good = results[i].how == Fared::named || results[i].how == Fared::right;
      if (!good || options.verbose)
        fmt::print("{:<10} {}\n           {}\n", to_string(results[i].how), shown((*answers)[i].file),
                   results[i].trouble.empty() ? results[i].sentence : results[i].trouble);
    }
  };
  std::thread second(work, services.reference_device);
  work(services.device);
  second.join();
  fmt::print("{}", summary(*answers, results));
  for (const Graded& result : results)
    if (result.how == Fared::untrue || result.how == Fared::passed || !result.trouble.empty()) return 1;
  return 0;
}

}  // namespace fusebox
