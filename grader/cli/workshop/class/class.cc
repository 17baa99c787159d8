#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "grader/catalog/extra_cases.h"
#include "grader/classroom/batch.h"
#include "grader/classroom/canaries.h"
#include "grader/classroom/formats/course.h"
#include "grader/classroom/formats/markup.h"
#include "grader/classroom/results/results.h"
#include "grader/classroom/results/row_store.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/class/class_run.h"
#include "grader/cli/workshop/class/class_slurm.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using classroom::BatchOutcome;
using classroom::BatchSettings;
using classroom::Results;
using classroom::Row;
using classroom::Student;
using classroom::Verdict;

/// "p04", "p01..p13", or several with commas between them, in the order of the book.
Result<std::vector<const Puzzle*>> puzzles_named(const std::string& text) {
  std::set<const Puzzle*> wanted;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::vector<const Puzzle*> named = puzzles_between(part);
    if (const Puzzle* one = find_puzzle(part)) named = {one};
    if (named.empty())
      return Error{ErrorKind::wrong_usage,
                   fmt::format("--puzzles: `{}` is no puzzle and no range of them", part),
                   "as in: --puzzles p01..p13,p20"};
    wanted.insert(named.begin(), named.end());
  }
  if (wanted.empty())
    return Error{ErrorKind::wrong_usage, "neither --puzzles nor --course names a puzzle",
                 "as in: --puzzles p01..p13,p20"};
  return std::vector<const Puzzle*>(wanted.begin(), wanted.end());
}

/// From --course, in the order of the book, or from --puzzles.
Result<std::vector<classroom::Wanted>> wanted_puzzles(const ClassOptions& asked) {
  std::vector<classroom::Wanted> wanted;
  if (asked.course.empty()) {
    const auto named = puzzles_named(asked.puzzles);
    if (!named) return named.error();
    for (const Puzzle* puzzle : *named) wanted.push_back({puzzle->id, puzzle->file_name()});
    return wanted;
  }
  const auto text = read_file(asked.course);
  if (!text)
    return Error{ErrorKind::wrong_usage, text.error().what,
                 "--course is a table with the columns puzzle, weight, hidden and cases"};
  const auto course = classroom::read_course(*text, asked.course);
  if (!course) return course.error();
  for (const classroom::Due& due : *course) {
    const Puzzle* puzzle = find_puzzle(due.puzzle);
    if (puzzle == nullptr || puzzle->id != due.puzzle)
      return Error{ErrorKind::wrong_usage,
                   fmt::format("{}: `{}` is no puzzle's id", asked.course, due.puzzle), "as in: p04"};
    if (const auto cases = extra_cases(*puzzle, due.cases); !cases)
      return Error{ErrorKind::wrong_usage, fmt::format("{}: {}", asked.course, cases.error().what),
                   cases.error().remedy};
    wanted.push_back({puzzle->id, puzzle->file_name(), due.weight, due.hidden, due.cases});
  }
  std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return wanted;
}

/// Results must not lie where a student can write, nor be taken for submissions.
bool lies_in(const fs::path& inner, const fs::path& outer) {
  std::error_code ignored;
  const fs::path in = fs::weakly_canonical(inner, ignored), out = fs::weakly_canonical(outer, ignored);
  return std::mismatch(out.begin(), out.end(), in.begin(), in.end()).first == out.end();
}

/// Drawn once for a class and kept where only its owner reads it.
Result<std::uint64_t> seed_of(const fs::path& out, const Options& options) {
  const fs::path file = out / "seed";
  if (options.seed) return *options.seed;
  std::ifstream kept(file);
  if (std::uint64_t seed = 0; kept >> seed) return seed;
  std::random_device random;
  const std::uint64_t seed = (std::uint64_t{random()} << 20 ^ random()) % 1'000'000'000'000ull;
  if (auto error = write_for_good(file, std::to_string(seed) + "\n", 0600)) return *error;
  return seed;
}

Result<BatchSettings> settings_of(const WorkspacePaths& paths, const Options& options) {
  const ClassOptions& asked = options.class_;
  BatchSettings settings;
  auto wanted = wanted_puzzles(asked);
  if (!wanted) return wanted.error();
  settings.puzzles = std::move(*wanted);
  settings.course = !asked.course.empty();
  std::error_code error;
  if (!fs::is_directory(asked.submissions, error))
    return Error{ErrorKind::wrong_usage,
                 fmt::format("--submissions {}: there is no such folder", asked.submissions),
                 "it holds a folder or an archive for each student, named by the roster's id"};
  // These folders are emptied or removed.
  for (const char* name : kFolders)
    if (lies_in(asked.submissions, fs::path(asked.out) / name))
      return Error{
          ErrorKind::wrong_usage,
          fmt::format("--submissions lies in {}, a folder of results", shown(fs::path(asked.out) / name)),
          "choose another --out"};
  if (lies_in(asked.out, asked.submissions))
    return Error{ErrorKind::wrong_usage, "--out lies in --submissions, where students can have written",
                 "choose a folder elsewhere"};
  const auto roster = read_file(asked.roster);
  if (!roster)
    return Error{ErrorKind::wrong_usage, roster.error().what,
                 "--roster is a table with the columns id and name"};
  auto students = classroom::read_roster(*roster, asked.roster);
  if (!students) return students.error();
  fs::create_directories(asked.out, error);
  if (error)
    return Error{ErrorKind::missing_part, fmt::format("cannot make {}: {}", asked.out, error.message()),
                 "choose another --out"};
  settings.how.grader = fs::absolute(paths.grader());
  settings.how.unpacker = fs::absolute(paths.bin / "unpacker");
  settings.how.root = fs::absolute(paths.root);
  settings.how.cache = fs::absolute(paths.cache());
  // Nobody may write to what is not there.
  fs::create_directories(settings.how.cache, error);
  settings.submissions = fs::absolute(asked.submissions);
  settings.students = std::move(*students);
  settings.how.seconds = asked.row_seconds;
  settings.how.memory_mib = options.memory_mib;
  if (options.backend == "gpu") settings.how.backend = "gpu";
  settings.jobs = asked.jobs != 0 ? asked.jobs : std::max(1u, std::thread::hardware_concurrency());
  settings.rerun = asked.rerun == "all"      ? classroom::Rerun::all
                   : asked.rerun == "failed" ? classroom::Rerun::failed
                                             : classroom::Rerun::infra;
  choose_confinement(paths, settings);
  settings.stop = stop_sign();
  auto version = version_of(paths, settings.how.grader, settings.puzzles);
  if (!version) return version.error();
  settings.version = std::move(*version);
  return settings;
}

/// A folder or an archive that no id of the roster names is a student's who gets no points for it.
void print_who_is_in_no_roster(const BatchSettings& settings) {
  constexpr std::size_t kMaxNamed = 10;
  std::set<std::string> known, unknown;
  for (const Student& student : settings.students) known.insert(student.id);
  std::size_t theirs = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(settings.submissions, error)) {
    const std::string name = entry.path().filename(), id = classroom::student_of(name);
    if (known.contains(name) || known.contains(id))
      ++theirs;
    else if (!name.starts_with('.') && (id != name || entry.is_directory(error)))
      unknown.insert(name);
  }
  if (theirs == 0)
    fmt::print("nobody of the roster has handed in anything in {}: is it the right folder?\n",
               settings.submissions.string());
  if (unknown.empty()) return;
  std::string names;
  std::size_t named = 0;
  for (const std::string& name : unknown) {
    if (named == kMaxNamed) break;
    names += (named++ == 0 ? "" : ", ") + classroom::plain(name);
  }
  if (unknown.size() > named) names += ", ...";
  fmt::print("{} of {} {} of nobody in the roster, and not graded: {}\n", unknown.size(),
             settings.submissions.string(), unknown.size() == 1 ? "is" : "are", names);
}

void print_summary(const Results& results, const BatchOutcome& outcome, const fs::path& out) {
  print_verdicts(results);
  fmt::print(
      "{} graded now, {} stood from before{}\n", outcome.graded, outcome.kept,
      outcome.left.empty() ? "" : fmt::format(", {} left: run the same command again", outcome.left.size()));
  print_places(out);
}

Result<int> grade_class(const WorkspacePaths& paths, const Options& options) {
  auto settings = settings_of(paths, options);
  if (!settings) return settings.error();
  const fs::path out = options.class_.out;
  if (auto error = refuse_what_is_not_ours(out)) return *error;
  if (auto error = lock_class(out, LockKind::alone)) return *error;
  print_who_is_in_no_roster(*settings);
  if (!options.class_.slurm.empty()) {
    const auto seed = seed_of(out, options);
    if (!seed) return seed.error();
    settings->how.seed = *seed;
    return hand_to_slurm(std::move(*settings), options);
  }
  if (settings->tier.empty()) {
    if (!options.class_.trust)
      return Error{ErrorKind::missing_part,
                   "this machine confines submissions by limits alone: its kernel has no Landlock",
                   "grade elsewhere, or, where every submission is to be trusted, add --trust-submissions"};
    settings->tier = classroom::kTrustedTier;
  }
  const auto seed = seed_of(out, options);
  if (!seed) return seed.error();
  settings->how.seed = *seed;
  const fs::path scratch = scratch_in(out);
  std::error_code ignored;
  fs::remove_all(scratch, ignored);  // of a run that was killed
  auto own = own_folder(scratch);
  if (!own) return own.error();
  settings->how.scratch = std::move(*own);
  const classroom::RowStore store(fs::absolute(out) / "rows");
  if (auto error = write_results(out, stored_rows(*settings, store))) return *error;
  if (!options.class_.trust) {
    show_progress("trying whether submissions are confined");
    const auto error = try_canaries(settings->how, settings->puzzles.front());
    show_progress("");
    if (error) return *error;
  }
  if (const auto error = try_cases(settings->how, settings->puzzles)) return *error;
  const auto outcome = run_batch(*settings, store, [&](const Row& row, std::size_t done, std::size_t all) {
    show_progress("");
    print_row(row, done, all);
  });
  fs::remove_all(scratch, ignored);
  if (!outcome) return outcome.error();
  const Results results = stored_rows(*settings, store, outcome->left);
  if (auto error = write_results(out, results)) return *error;
  print_summary(results, *outcome, out);
  const bool machine = std::any_of(results.rows.begin(), results.rows.end(), [](const auto& each) {
    return each.second.verdict == Verdict::infra_error;
  });
  return machine || !outcome->left.empty() ? exit_code(ErrorKind::missing_part) : 0;
}

}  // namespace

int class_verb(const WorkspacePaths& paths, const Options& options) {
  handle_stop_signals();
  const auto code = grade_class(paths, options);
  return code ? *code : fail(code.error());
}

}  // namespace fusebox
