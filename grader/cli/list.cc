#include <fmt/format.h>
#include <unistd.h>

#include "grader/cli/progress.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"

namespace fusebox {

int list_verb(const House& house, const Options& options) {
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  const Progress progress = Progress::load(house.progress);
  std::string chapter;
  std::size_t solved = 0;
  for (const Puzzle& puzzle : puzzles()) {
    if (puzzle.chapter != chapter) {
      if (!chapter.empty()) fmt::print("\n");
      chapter = puzzle.chapter;
      fmt::print("{}\n", style.strong(chapter));
    }
    const PuzzleProgress one = progress.of(puzzle.id);
    solved += one.solved;
    fmt::print("  {} {:<4} {:<26} {}\n",
               one.solved  ? style.good("✓")
               : one.tried ? style.open("~")
                           : style.quiet("○"),
               puzzle.id, puzzle.slug, puzzle.title);
  }
  fmt::print("\n{} of {} solved (✓ solved, ~ tried, ○ open)\n", solved, puzzles().size());
  return 0;
}

}  // namespace fusebox
