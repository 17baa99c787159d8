#include <fmt/format.h>
#include <unistd.h>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/render/markdown.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {

int lesson_verb(const WorkspacePaths& paths, const Options& options) {
  const auto puzzle = asked_puzzle(options);
  if (!puzzle) return fail(puzzle.error());
  const auto lesson = load_lesson({paths.texts(), **puzzle});
  if (!lesson) return fail(lesson.error());
  fmt::print("{}", render_markdown(*lesson, style_for(STDOUT_FILENO, options.no_color)));
  return 0;
}

}  // namespace fusebox
