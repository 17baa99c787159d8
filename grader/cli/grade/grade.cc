#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "grader/catalog/extra_cases.h"
#include "grader/cli/grade/attachments.h"
#include "grader/cli/grade/grade_tests.h"
#include "grader/cli/grade/prediction.h"
#include "grader/cli/grade/watch.h"
#include "grader/cli/render/render.h"
#include "grader/cli/render/render_report.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/report/json/json.h"
#include "grader/report/text/changes.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

std::uint64_t fresh_seed() {
  // Short enough to be read out and typed again.
  return std::random_device{}() % 1'000'000;
}

Result<std::vector<std::string>> entries_of(const Puzzle& puzzle, const Options& options) {
  std::vector<std::string> wanted;
  if (options.unfused) wanted.push_back("unfused");
  if (options.fused) wanted.push_back("fused");
  if (!options.entry.empty()) wanted.push_back(options.entry);
  for (const std::string& name : wanted) {
    if (puzzle.find_entry(name)) continue;
    std::vector<std::string> names;
    for (const Entry& entry : puzzle.entries) names.push_back(entry.name);
    return Error{ErrorKind::wrong_usage, fmt::format("{} has no entry `{}`", puzzle.id, name),
                 fmt::format("it has {}", fmt::join(names, ", "))};
  }
  return wanted;
}

GradingOptions grading_options(const WorkspacePaths& paths, const Options& options, const Puzzle& puzzle,
                               const fs::path& folder, std::vector<std::string> entries, std::uint64_t seed,
                               const std::string& device) {
  GradingOptions grading;
  grading.progress = show_progress;
  grading.file = shown(folder / puzzle.file_name());
  grading.reference = paths.solutions() / puzzle.file_name();
  grading.seed = seed;
  grading.entries = std::move(entries);
  grading.command =
      fmt::format("{} {}{}", paths.command, puzzle.id, options.from.empty() ? "" : " --from " + options.from);
  if (!options.cases.empty()) grading.command += fmt::format(" --cases '{}'", options.cases);
  if (options.schedule) grading.command += fmt::format(" --schedule {}", *options.schedule);
  grading.schedules = options.schedules;
  if (options.no_reference) grading.reference_use = ReferenceUse::on_failures;
  grading.device = device;
  // A list that cannot be read names nothing: `dev check` says what is wrong with it.
  if (auto mutants = load_mutants({paths.texts(), puzzle})) grading.mutants = std::move(*mutants);
  return grading;
}

/// GoogleTest stops the whole program when it cannot open its XML, so this is found out before.
std::optional<Error> check_writable(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const bool existed = ::access(path.c_str(), F_OK) == 0;
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (!file)
    return Error{ErrorKind::missing_part, fmt::format("cannot write {}: {}", path, std::strerror(errno)),
                 "choose another file, or make its folder"};
  std::fclose(file);
  if (!existed) ::unlink(path.c_str());
  return std::nullopt;
}

/// Nobody shall take the report of an earlier run for that of this one, however this one ends.
std::optional<Error> remove_old(const std::string& json) {
  std::error_code none;
  if (json.empty() || !fs::is_regular_file(json, none)) return std::nullopt;  // a pipe stays
  if (fs::remove(json, none)) return std::nullopt;
  return Error{ErrorKind::missing_part, fmt::format("cannot replace {}: {}", json, none.message()),
               "choose another file, or make its folder writable"};
}

/// A report of a run that did not come to a verdict.
Report without_verdict(Report report, const Error& error) {
  report.verdict = Outcome::skipped;
  report.verdict_text = error.what;
  return report;
}

/// What a failed run leaves behind; its exit code.
int fail_with_report(const Error& error, const Options& options, const std::string& json) {
  const int code = fail(error);
  std::error_code none;
  if (!options.json.empty() && !fs::exists(options.json, none))  // else the verdict is in it already
    if (auto failed = write_atomically(options.json, json); failed && failed->what != error.what)
      fail(*failed);
  return code;
}

/// What is thrown (no memory is left, for instance) ends a run like any other error.
template <class Body>
Result<int> guarded(const Body& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    return Error{ErrorKind::internal, fmt::format("internal error: {}", error.what()),
                 "please report it, with the file that was graded"};
  }
}

/// GoogleTest says nothing when the disk is full.
std::optional<Error> check_complete(const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (text.find("</testsuites>") != std::string::npos) return std::nullopt;
  return Error{ErrorKind::missing_part, fmt::format("{} was not written completely", path),
               "free some disk space and run it again"};
}

std::string xml_path(const Options& options) {
  if (!options.junit.empty()) return options.junit;
  for (const std::string& word : options.gtest) {
    const std::string flag = "--gtest_output=xml:";
    if (word.starts_with(flag)) return word.substr(flag.size());
  }
  return {};
}

/// What to type next. What is solved is followed by its neighbour in the book.
std::string next_command(const WorkspacePaths& paths, const Report& report, const Puzzle& puzzle,
                         bool from_elsewhere) {
  if (report.verdict != Outcome::passed)
    return fmt::format("then: {0} {1}     stuck? {0} hint {1}", paths.command, report.puzzle);
  const Puzzle* next = from_elsewhere ? nullptr : neighbour_of(puzzle);
  return next ? fmt::format("next: {} {}", paths.command, next->id) : "";
}

/// What is known of a puzzle from now on.
struct Remembered {
  std::string predicted;        ///< what became of a prediction, once there is something to compare it with
  std::optional<Error> failed;  ///< why it cannot be written
};
Remembered remember(const WorkspacePaths& paths, const Report& report, const Puzzle& puzzle,
                    std::size_t selected) {
  Progress progress = Progress::load(paths.progress());
  const PuzzleProgress before = progress.of(report.puzzle);
  PuzzleProgress one = before;
  one.tried |= report.verdict != Outcome::unsolved;
  // A part of the checks proves nothing about the whole.
  std::size_t all = 0;
  for (const Entry& entry : puzzle.entries) all += 3 + puzzle.cases.size() + entry.budgets.size();
  if (selected == all) one.solved = report.verdict == Outcome::passed;
  Remembered made;
  if (!one.prediction.empty() && !one.scored) {
    if (const auto prediction = parse_prediction(one.prediction, tensors_of(puzzle)))
      made.predicted = score(*prediction, report);
    one.scored = !made.predicted.empty();
  }
  if (one == before) return made;
  progress.set(report.puzzle, one);
  made.failed = progress.save();
  return made;
}

int exit_code_of(Outcome verdict) { return verdict == Outcome::passed ? 0 : 1; }

/// Somebody looks, and types: not in a pipe, and not where GoogleTest's own flags ask for a single run.
bool stays(const Options& options) {
  return !options.once && options.gtest.empty() && ::isatty(STDIN_FILENO) == 1 &&
         ::isatty(STDOUT_FILENO) == 1;
}

/// A list of reports.
std::string to_json(const std::vector<Report>& reports) {
  std::string json = "[";
  for (const Report& report : reports) json += (json.size() > 1 ? ",\n" : "\n") + to_json(report);
  return json + "\n]\n";
}

FullSizeOptions full_size_options(const WorkspacePaths& paths) {
  FullSizeOptions options;
  options.kept = paths.cache() / "full_size";
  options.progress = show_progress;
  return options;
}

/// What became of an attempt in the workbook.
struct Kept {
  fs::path attempt;  ///< empty: not kept
  std::optional<Error> failed;
};

/// Keeps an attempt, and says in `around` what changed since the one before.
Kept keep(const WorkspacePaths& paths, const Report& report, const Puzzle& graded, std::size_t selected,
          Around& around) {
  Kept kept;
  if (const auto before = last_attempt(paths, report.puzzle)) around.changed = what_changed(*before, report);
  Remembered made = remember(paths, report, graded, selected);
  around.predicted = std::move(made.predicted);
  kept.failed = std::move(made.failed);
  if (auto attempt = keep_attempt(paths, report))
    kept.attempt = *attempt;
  else
    kept.failed = attempt.error();
  return kept;
}

/// Runs and prints the full size, and writes the report again where it was written.
std::optional<Error> add_full_size(const WorkspacePaths& paths, const Options& options, Grading& grading,
                                   const fs::path& attempt, Report& report) {
  grading.run_full_size(report, full_size_options(paths), options.full);
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  if (const std::string text = render_full_size(report, style, options.verbose); !text.empty())
    fmt::print("\n{}", text);
  std::fflush(stdout);
  if (!report.full_size) return std::nullopt;
  if (!options.json.empty())
    if (auto error = write_atomically(options.json, to_json(report))) return error;
  // Like the attempt itself, not worth failing a grade over.
  if (!attempt.empty()) (void)write_atomically(attempt, to_json(report));
  return std::nullopt;
}

/// What follows the checks: keeps the attempt, prints the report, and runs the full size unless that is not
/// wanted. `around` holds what to do next.
std::optional<Error> keep_and_print(const WorkspacePaths& paths, const Options& options, Grading& grading,
                                    const Puzzle& graded, std::size_t selected, Around around,
                                    Report& report) {
  Kept kept;
  if (options.from.empty()) kept = keep(paths, report, graded, selected, around);
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  fmt::print("{}", render_report(report, around, style, options.verbose));
  std::fflush(stdout);
  if (kept.failed) {  // not worth failing a grade over
    kept.failed->what = "this attempt is graded, but not kept: " + kept.failed->what;
    fail(*kept.failed);
  }
  if (!options.json.empty())
    if (auto error = write_atomically(options.json, to_json(report))) return error;
  if (options.no_full) return std::nullopt;
  return add_full_size(paths, options, grading, kept.attempt, report);
}

/// Grades one puzzle; `report` is filled in as far as that goes. The result is the exit code.
Result<int> grade_one(const WorkspacePaths& paths, const Options& options, Report& report) {
  const auto puzzle = asked_puzzle(options);
  if (!puzzle) return puzzle.error();
  report.puzzle = (*puzzle)->id;
  report.slug = (*puzzle)->slug;
  report.title = (*puzzle)->title;
  auto extra = extra_cases(**puzzle, options.cases);
  if (!extra) return extra.error();
  Puzzle graded = **puzzle;
  graded.cases.insert(graded.cases.end(), extra->begin(), extra->end());
  auto entries = entries_of(graded, options);
  if (!entries) return entries.error();
  const auto folder = folder_of(paths, options);
  if (!folder) return folder.error();
  const std::string xml = xml_path(options);
  if (auto error = check_writable(xml)) return *error;
  auto machine = Machine::open(paths, options);
  if (!machine) return machine.error();

  const Style style = style_for(STDOUT_FILENO, options.no_color);
  Grading grading(graded, (*machine)->services(),
                  grading_options(paths, options, **puzzle, *folder, std::move(*entries),
                                  options.seed.value_or(fresh_seed()), (*machine)->description()));
  const bool listing =
      std::find(options.gtest.begin(), options.gtest.end(), "--gtest_list_tests") != options.gtest.end();
  if (!listing) {
    grading.check_file();  // so that the title can show the file's hash
    if (grading.error()) return *grading.error();
    fmt::print("{}", render_title(grading.title(), style));
  }
  GradeRun run;
  run.gradings = {&grading};
  run.gtest = options.gtest;
  run.xml = options.junit;
  const GradeOutcome outcome = run_grades(run);
  if (outcome.listed) return 0;
  if (outcome.selected == 0)
    return Error{ErrorKind::wrong_usage, "the filter selects no check, so nothing was graded",
                 "see --gtest_list_tests"};
  report = grading.report();
  if (grading.error()) return *grading.error();
  attach(report, graded, paths, options.gpu);

  Around around;
  around.next = next_command(paths, report, **puzzle, !options.from.empty());
  if (auto error = keep_and_print(paths, options, grading, graded, static_cast<std::size_t>(outcome.selected),
                                  std::move(around), report))
    return *error;
  if (auto error = check_complete(xml)) return *error;
  return exit_code_of(report.verdict);
}

/// One of all puzzles: its line, and why it is not passed.
void print_verdict(const Report& report, const Style& style) {
  const std::string word = fmt::format("{:<9}", to_string(report.verdict));
  fmt::print("{} {:<4} {}\n",
             report.verdict == Outcome::passed   ? style.good(word)
             : report.verdict == Outcome::failed ? style.bad(word)
                                                 : style.open(word),
             report.puzzle, report.slug);
  if (report.verdict != Outcome::passed)
    fmt::print("{}", style.quiet(wrapped(printable(report.verdict_text), kWidth, 15)));
  std::fflush(stdout);
}

Result<int> grade_all(const WorkspacePaths& paths, const Options& options, std::vector<Report>& reports) {
  if (!options.cases.empty())
    return Error{ErrorKind::wrong_usage, "--cases are cases of one puzzle", "name it in the place of `all`"};
  const auto folder = folder_of(paths, options);
  if (!folder) return folder.error();
  const std::string xml = xml_path(options);
  if (auto error = check_writable(xml)) return *error;
  auto machine = Machine::open(paths, options);
  if (!machine) return machine.error();

  const Style style = style_for(STDOUT_FILENO, options.no_color);
  const std::uint64_t seed = options.seed.value_or(fresh_seed());
  std::vector<std::unique_ptr<Grading>> gradings;
  GradeRun run;
  for (const Puzzle& puzzle : puzzles()) {
    gradings.push_back(std::make_unique<Grading>(
        puzzle, (*machine)->services(),
        grading_options(paths, options, puzzle, *folder, {}, seed, (*machine)->description())));
    run.gradings.push_back(gradings.back().get());
  }
  run.gtest = options.gtest;
  run.xml = options.junit;
  std::optional<Error> error;
  run.finished = [&](Grading& grading) {
    if (!error) error = grading.error();
    if (error) return;
    reports.push_back(grading.report());
    if (!error) error = grading.error();
    print_verdict(reports.back(), style);
    if (!options.full) return;
    grading.run_full_size(reports.back(), full_size_options(paths), false);
    if (reports.back().full_size)
      fmt::print("{}", style.quiet(wrapped(reports.back().full_size->sentence, kWidth, 10)));
    std::fflush(stdout);
  };
  const GradeOutcome outcome = run_grades(run);
  if (error) return *error;
  if (outcome.listed) return 0;
  if (outcome.selected == 0)
    return Error{ErrorKind::wrong_usage, "the filter selects no check, so nothing was graded",
                 "see --gtest_list_tests"};

  std::size_t passed = 0;
  for (const Report& report : reports) passed += report.verdict == Outcome::passed;
  fmt::print("{} of {} passed, seed {}\n", passed, reports.size(), seed);
  if (!options.json.empty())
    if (auto failed = write_atomically(options.json, to_json(reports))) return *failed;
  if (auto failed = check_complete(xml)) return *failed;
  return passed == reports.size() ? 0 : 1;
}

}  // namespace

int grade_verb(const WorkspacePaths& paths, const Options& options) {
  if (stays(options)) {
    const auto puzzle = asked_puzzle(options);
    if (!puzzle) return fail(puzzle.error());
    return watch(paths, options, **puzzle);
  }
  if (auto error = remove_old(options.json)) return fail(*error);
  Report report;
  const Result<int> code = guarded([&] { return grade_one(paths, options, report); });
  if (code) return *code;
  return fail_with_report(code.error(), options, to_json(without_verdict(report, code.error())));
}

int all_verb(const WorkspacePaths& paths, const Options& options) {
  if (auto error = remove_old(options.json)) return fail(*error);
  std::vector<Report> reports;
  const Result<int> code = guarded([&] { return grade_all(paths, options, reports); });
  if (code) return *code;
  reports.push_back(without_verdict({}, code.error()));
  return fail_with_report(code.error(), options, to_json(reports));
}

int next_verb(const WorkspacePaths& paths, const Options& options) {
  const Puzzle* puzzle = next_unsolved(paths);
  if (!puzzle) {
    fmt::print("Every puzzle is solved. `{} all` grades them again.\n", paths.command);
    return 0;
  }
  if (stays(options)) return watch(paths, options, *puzzle);
  const std::string file = shown(paths.puzzles() / puzzle->file_name());
  fmt::print("next: {}  {}\n\n  read   {} lesson {}\n  edit   {}\n  grade  {} {}\n", puzzle->id,
             puzzle->title, paths.command, puzzle->id, file, paths.command, puzzle->id);
  return 0;
}

}  // namespace fusebox
