#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "grader/cli/progress.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"

namespace fusebox {

int fail(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "grader: {}\n", printable(error.what));
  if (!error.remedy.empty()) fmt::print(stderr, "        {}\n", printable(error.remedy));
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

const Puzzle* next_unsolved(const House& house) {
  const Progress progress = Progress::load(house.progress);
  for (const Puzzle& puzzle : puzzles())
    if (!progress.of(puzzle.id).solved) return &puzzle;
  return nullptr;
}

}  // namespace fusebox
