#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/render/render_entry.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/dev/grade_text.h"
#include "grader/judge/cases/both_devices.h"
#include "grader/judge/grading.h"
#include "grader/judge/suspect/suspect.h"
#include "grader/judge/workshop/answers.h"
#include "grader/judge/workshop/answers_compile.h"
#include "grader/judge/workshop/answers_tally.h"
#include "grader/judge/workshop/problems_once.h"
#include "grader/toolchain/cache/cache.h"

namespace fusebox {
namespace {

/// One answer, the file that it stands for, and what became of it.
struct Graded {
  const Answer* answer = nullptr;
  const Puzzle* puzzle = nullptr;
  SourceFile file, solution;
  Fared how = Fared::symptom;
  std::string sentence;
  std::string trouble;  ///< it could not be graded
};

Graded to_grade(const Answer& answer, const WorkspacePaths& paths) {
  Graded result;
  result.answer = &answer;
  result.puzzle = find_puzzle(answer.puzzle);
  const auto solution = result.puzzle
                            ? read_source(paths.solutions() / result.puzzle->file_name())
                            : Result<SourceFile>(Error{ErrorKind::missing_part, "no such puzzle", ""});
  const auto text = solution ? file_of(answer, solution->text) : Result<std::string>(solution.error());
  if (!text) {
    result.trouble = text.error().what;
    return result;
  }
  result.solution = *solution;
  result.file = {paths.puzzles() / result.puzzle->file_name(), *text};
  return result;
}

/// Answers of one puzzle stand side by side. Those of all puzzles take longer than the cache of compiled
/// files is sure to keep what it was asked for.
std::vector<std::span<Graded>> by_puzzle(std::span<Graded> all) {
  std::vector<std::span<Graded>> groups;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].answer->puzzle == all[begin].answer->puzzle) ++end;
    groups.push_back(all.subspan(begin, end - begin));
  }
  return groups;
}

/// All that grading will ask a compiler for, but for the known mistakes; of one puzzle.
Result<CompiledTexts> compile_all(const Services& services, std::span<const Graded> group) {
  std::vector<SourceFile> files, trials;
  SourceFile solution;
  for (const Graded& graded : group) {
    if (!graded.trouble.empty()) continue;
    files.push_back(graded.file);
    solution = graded.solution;
    const Entry* entry = graded.puzzle->find_entry(graded.answer->entry);
    if (graded.answer->right || !entry) continue;
    for (SourceFile& trial : one_blank_each(*entry, graded.solution, graded.file.text))
      if (trial.text != graded.solution.text) trials.push_back(std::move(trial));
  }
  return compile_answers(services, files, solution, trials);
}

void grade(const WorkspacePaths& paths, const Options& asked, const Puzzle& puzzle, const Services& services,
           Graded& graded) {
  GradingOptions options;
  options.file = graded.file.path;
  options.text = graded.file.text;
  options.reference = graded.solution.path;
  options.seed = asked.seed.value_or(kSeedOfAnswers);
  options.patterns = !asked.without_patterns;
  if (!graded.answer->right) options.entries = {graded.answer->entry};
  // Beside what passes nothing is compared.
  if (graded.answer->right) options.reference_use = ReferenceUse::on_failures;
  const auto graded_text = grade_text(paths, puzzle, services, std::move(options));
  if (!graded_text) {
    graded.trouble = graded_text.error().what;
    return;
  }
  const Report& report = *graded_text;
  std::string printed = report.verdict_text;
  // All that could be printed, whatever there is room for.
  for (const EntryReport& entry : report.entries)
    printed += "\n" + (entry.cause ? render_cause(*entry.cause, Style(), SIZE_MAX) : "") +
               render_checks(entry, Style(), false);
  graded.how = fared(*graded.answer, report, printed);
  graded.sentence = first_sentence(report);
}

/// Prints nothing by which a held-out answer could be recognised.
void print(const Graded& graded, bool verbose) {
  const Answer& answer = *graded.answer;
  const bool good = graded.trouble.empty() && (graded.how == Fared::named || graded.how == Fared::right);
  if (answer.held) {
    if (!graded.trouble.empty() || !is_fair(graded.how))
      fmt::print("{:<10} one of {} that is held\n", to_string(graded.how), answer.puzzle);
  } else if (!good || verbose) {
    fmt::print("{:<10} {}\n           {}\n", graded.trouble.empty() ? to_string(graded.how) : "trouble",
               shown(answer.file), graded.trouble.empty() ? graded.sentence : graded.trouble);
  }
  std::fflush(stdout);  // all of them take long, and who ends it before has what there is
}

/// A line for each class of wrong answers, one for the right ones, and one for all.
std::string summary(const std::vector<Graded>& results) {
  std::map<std::string, Tally> classes;
  Tally wrong, right;
  const auto count = [](Tally& tally, Fared how) { ++tally.of[static_cast<std::size_t>(how)]; };
  for (const Graded& graded : results) {
    count(graded.answer->right ? right : wrong, graded.how);
    if (!graded.answer->right) count(classes[graded.answer->kind], graded.how);
  }
  std::vector<std::vector<std::string>> rows{
      {"class", "named", "symptom", "misleading", "false", "passed", "all"}};
  const auto add = [&](const std::string& name, const Tally& tally) {
    std::vector<std::string> row{name};
    for (const Fared how : {Fared::named, Fared::symptom, Fared::misleading, Fared::untrue, Fared::passed})
      row.push_back(tally[how] == 0 ? "" : std::to_string(tally[how]));
    row.push_back(std::to_string(tally.all()));
    rows.push_back(std::move(row));
  };
  for (const auto& [name, tally] : classes) add(name, tally);
  add("wrong answers", wrong);
  return table(rows) + fmt::format("  right answers: {} passed, {} rejected\n", right[Fared::right],
                                   right[Fared::rejected]);
}

/// Writes the numbers of these puzzles, or holds what came out against them; an exit code.
int hold_to_record(const std::vector<Graded>& results, const std::filesystem::path& file, bool write) {
  TallyOfClasses classes;
  std::set<std::string> puzzles;
  for (const Graded& graded : results) {
    puzzles.insert(graded.answer->puzzle);
    if (graded.answer->right || graded.answer->held) continue;
    Tally& tally = classes[{graded.answer->puzzle, graded.answer->kind}];
    ++tally.of[static_cast<std::size_t>(graded.how)];
  }
  auto recorded = read_named(file);
  if (write) {
    NamedAtLeast named = recorded ? std::move(*recorded) : NamedAtLeast{};
    std::erase_if(named, [&](const auto& line) { return puzzles.contains(line.first.first); });
    named.merge(named_of(classes));
    if (write_file(file, named_text(named))) return 0;
    return fail(
        {ErrorKind::missing_part, fmt::format("cannot write {}", shown(file)), "free some disk space"});
  }
  if (!recorded) return fail(recorded.error());
  const auto less = fallen(classes, *recorded, {puzzles.begin(), puzzles.end()});
  for (const std::string& sentence : less) fmt::print("{}\n", sentence);
  return less.empty() ? 0 : 1;
}

}  // namespace

int dev_answers_verb(const WorkspacePaths& paths, const Options& options) {
  Options counted = options;
  counted.backend = "sim";
  auto machine = Machine::open(paths, counted);
  if (!machine) return fail(machine.error());
  std::string only;
  if (!options.puzzle.empty()) {
    const auto puzzle = asked_puzzle(options);
    if (!puzzle) return fail(puzzle.error());
    only = (*puzzle)->id;
  }
  const auto folder = paths.root / "grader" / "testdata" / "answers";
  auto answers = read_answers(folder, only);
  if (!answers) return fail(answers.error());
  // What is held is looked at last, and only when asked for.
  if (!options.held) std::erase_if(*answers, [](const Answer& answer) { return answer.held; });

  std::erase_if(*answers, [&](const Answer& answer) {
    return answer.file.filename().string().find(options.only) == std::string::npos;
  });
  std::vector<Graded> results;
  for (const Answer& answer : *answers) results.push_back(to_grade(answer, paths));
  const Services services = (*machine)->services();
  std::mutex printing;
  for (const std::span<Graded> group : by_puzzle(results)) {
    const auto texts = compile_all(services, group);
    if (!texts) return fail(texts.error());
    const Puzzle* const of = group.front().puzzle;  // null: none of the group can be graded
    const Puzzle puzzle = of ? with_problems_once(*of) : Puzzle();
    on_both_devices(with_known(services, *texts), group.size(), [&](std::size_t i, const Services& own) {
      if (group[i].trouble.empty()) grade(paths, options, puzzle, own, group[i]);
      const std::lock_guard lock(printing);
      print(group[i], options.verbose);
    });
  }
  fmt::print("{}", summary(results));
  bool fair = true;
  for (const Graded& graded : results) fair &= graded.trouble.empty() && is_fair(graded.how);
  int held_to = 0;
  if (options.check || options.record)
    held_to = hold_to_record(results, folder / "named.txt", options.record);
  return fair ? held_to : 1;
}

}  // namespace fusebox
