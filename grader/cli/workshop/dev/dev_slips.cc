#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/dev/grade_text.h"
#include "grader/judge/cases/both_devices.h"
#include "grader/judge/workshop/answers.h"
#include "grader/judge/workshop/problems_once.h"
#include "grader/judge/workshop/slips.h"
#include "grader/toolchain/cache/cache.h"

namespace fusebox {
namespace {

/// A slip, what it was made in, and what was said of it.
struct Tried {
  const Answer* answer = nullptr;
  const Puzzle* puzzle = nullptr;  ///< with its problems made once
  Slip slip;
  Told told = Told::symptom;
  std::string sentence;
};

/// The right answers, each with its whole text. What cannot be put together is left to `dev answers`.
std::vector<Answer> right_answers(const std::vector<Answer>& all, const WorkspacePaths& paths) {
  std::vector<Answer> right;
  for (const Answer& answer : all) {
    const Puzzle* const puzzle = find_puzzle(answer.puzzle);
    if (!answer.right || answer.held || !puzzle) continue;
    const auto solution = read_source(paths.solutions() / puzzle->file_name());
    const auto text = solution ? file_of(answer, solution->text) : Result<std::string>(solution.error());
    if (!text) continue;
    right.push_back(answer);
    right.back().text = *text;
  }
  return right;
}

/// `count` slips dealt out to the answers in turn; those of one answer are drawn together.
std::vector<Tried> draw(const std::vector<Answer>& answers, const std::map<std::string, Puzzle>& books,
                        std::size_t count, std::uint64_t seed) {
  std::vector<Tried> all;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::size_t share = count / answers.size() + (i < count % answers.size() ? 1 : 0);
    for (Slip& slip : slips_of(answers[i].text, share, seed + i)) {
      all.push_back({&answers[i], &books.at(answers[i].puzzle), std::move(slip), Told::symptom, ""});
    }
  }
  return all;
}

std::optional<Error> try_one(const WorkspacePaths& paths, const Services& services, Tried& tried) {
  GradingOptions options;
  options.file = paths.puzzles() / tried.puzzle->file_name();
  options.reference = paths.solutions() / tried.puzzle->file_name();
  options.text = tried.slip.text;
  options.seed = kSeedOfAnswers;
  const auto compiled = services.compile({options.file, tried.slip.text});
  if (!compiled) return compiled.error();
  if (std::holds_alternative<CompileFailure>(*compiled)) {
    tried.told = Told::does_not_compile;
    return std::nullopt;
  }
  const auto report = grade_text(paths, *tried.puzzle, services, options);
  if (!report) return report.error();
  tried.told = told_of(tried.slip, *report);
  tried.sentence = first_sentence(*report);
  return std::nullopt;
}

/// The text with the slip, as a file to be graded: p06_warp_per_row_9_3.cu is slip 3 of all, in line 9.
std::optional<Error> keep(const Tried& tried, const std::filesystem::path& folder, std::size_t number) {
  const std::filesystem::path file =
      folder / fmt::format("{}_{}_{}_{}.cu", tried.answer->puzzle, tried.answer->file.stem().string(),
                           tried.slip.line, number);
  std::error_code why;
  std::filesystem::create_directories(folder, why);
  if (!write_file(file, tried.slip.text)) return Cache::cannot_write(folder, std::strerror(errno));
  return std::nullopt;
}

/// On one line.
std::string shortened(const std::string& code) {
  std::string line;
  for (const char c : code)
    if (c != '\n' && (c != ' ' || !line.ends_with(' '))) line += c;
  return line.size() > 60 ? line.substr(0, 57) + "..." : line;
}

void print(const Tried& tried, bool verbose) {
  const bool good =
      tried.told == Told::where || tried.told == Told::what || tried.told == Told::does_not_compile;
  if (good && !verbose) return;
  fmt::print("{:<10} {}:{}: {}: `{}` -> `{}`\n           {}\n", to_string(tried.told),
             shown(tried.answer->file), tried.slip.line, tried.slip.kind, shortened(tried.slip.was),
             shortened(tried.slip.is), tried.sentence);
  std::fflush(stdout);  // it takes long, and who ends it before has what there is
}

using Counts = std::map<Told, int>;

std::string summary(const std::vector<Tried>& tried) {
  constexpr Told kColumns[] = {Told::where,   Told::what,   Told::elsewhere,
                               Told::symptom, Told::passed, Told::does_not_compile};
  std::map<std::string, Counts> kinds;
  Counts all;
  for (const Tried& each : tried) ++kinds[each.slip.kind][each.told], ++all[each.told];
  std::vector<std::vector<std::string>> rows{{"slip"}};
  for (const Told told : kColumns) rows[0].emplace_back(to_string(told));
  const auto add = [&](const std::string& name, Counts& of) {
    rows.push_back({name});
    for (const Told told : kColumns) rows.back().push_back(of[told] == 0 ? "" : std::to_string(of[told]));
  };
  for (auto& [kind, of] : kinds) add(kind, of);
  add("all", all);
  const int named = all[Told::where] + all[Told::what];
  return table(rows) +
         fmt::format("  {} of {} that compile and fail are told by place or by what they compute\n", named,
                     named + all[Told::elsewhere] + all[Told::symptom]);
}

}  // namespace

int dev_slips_verb(const WorkspacePaths& paths, const Options& options) {
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
  const auto all = read_answers(paths.root / "grader" / "testdata" / "answers", only);
  if (!all) return fail(all.error());
  const std::vector<Answer> answers = right_answers(*all, paths);
  if (answers.empty())
    return fail({ErrorKind::missing_part, "there are no right answers to make slips in",
                 "git checkout -- grader/testdata/answers"});
  std::map<std::string, Puzzle> books;
  for (const Answer& answer : answers)
    if (!books.contains(answer.puzzle))
      books.emplace(answer.puzzle, with_problems_once(*find_puzzle(answer.puzzle)));
  std::vector<Tried> tried = draw(answers, books, options.count, options.seed.value_or(1));
  std::optional<Error> error;
  std::mutex mutex;
  on_both_devices((*machine)->services(), tried.size(), [&](std::size_t i, const Services& own) {
    auto failed = try_one(paths, own, tried[i]);
    const std::lock_guard lock(mutex);
    const bool is_left = tried[i].told == Told::elsewhere || tried[i].told == Told::symptom;
    if (!failed && !options.keep.empty() && is_left) failed = keep(tried[i], options.keep, i);
    if (failed && !error) error = std::move(failed);
    print(tried[i], options.verbose);
  });
  if (error) return fail(*error);
  fmt::print("{}", summary(tried));
  return 0;
}

}  // namespace fusebox
