#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "grader/cli/render/render.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {

int fail(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "{}", hanging("grader: ", printable(error.what), kWidth));
  if (!error.remedy.empty())
    fmt::print(stderr, "        {}\n", printable(error.remedy));  // often to be typed
  return exit_code(error.kind);
}

Result<const Puzzle*> asked_puzzle(const Options& options) {
  if (options.puzzle.empty())
    return Error{ErrorKind::wrong_usage, "which puzzle?",
                 "name one, for instance p20; `grader list` shows all"};
  if (const Puzzle* puzzle = find_puzzle(options.puzzle)) return puzzle;
  const auto nearest = nearest_puzzles(options.puzzle);
  return Error{ErrorKind::wrong_usage, fmt::format("there is no puzzle `{}`", options.puzzle),
               nearest.empty()
                   ? "`grader list` shows all"
                   : fmt::format("did you mean {}? `grader list` shows all", fmt::join(nearest, ", "))};
}

Result<std::filesystem::path> folder_of(const WorkspacePaths& paths, const Options& options) {
  if (options.from.empty()) return paths.puzzles();
  std::error_code error;
  for (const std::filesystem::path& candidate :
       {std::filesystem::path(options.from), paths.root / options.from})
    if (std::filesystem::is_directory(candidate, error)) return candidate;
  return Error{ErrorKind::wrong_usage, fmt::format("--from {}: there is no such folder", options.from),
               "give a folder that holds files named like those in puzzles/"};
}

std::vector<const Puzzle*> puzzles_between(const std::string& range) {
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) return {};
  const Puzzle* last = find_puzzle(range.substr(dots + 2));
  std::vector<const Puzzle*> between;
  if (const Puzzle* first = find_puzzle(range.substr(0, dots)); first && last)
    for (const Puzzle* puzzle = first; puzzle <= last; ++puzzle) between.push_back(puzzle);
  return between;
}

const Puzzle* neighbour_of(const Puzzle& puzzle) {
  const Puzzle* next = &puzzle + 1;
  return next < puzzles().data() + puzzles().size() ? next : nullptr;
}

const Puzzle* next_unsolved(const WorkspacePaths& paths) {
  const Progress progress = Progress::load(paths.progress());
  for (const Puzzle& puzzle : puzzles())
    if (!progress.of(puzzle.id).solved) return &puzzle;
  return nullptr;
}

}  // namespace fusebox
