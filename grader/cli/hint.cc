#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/render/markdown.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {

int hint_verb(const WorkspacePaths& paths, const Options& options) {
  const auto puzzle = asked_puzzle(options);
  if (!puzzle) return fail(puzzle.error());
  const auto loaded = load_hints({paths.texts(), **puzzle});
  if (!loaded) return fail(loaded.error());
  const std::vector<Hint>& hints = *loaded;
  Progress progress = Progress::load(paths.progress());
  PuzzleProgress one = progress.of((*puzzle)->id);
  const int count = static_cast<int>(hints.size());
  one.hints = std::clamp(one.hints + 1, 1, count);

  const Style style = style_for(STDOUT_FILENO, options.no_color);
  for (int level = 1; level <= one.hints; ++level) {
    const Hint& hint = hints[static_cast<std::size_t>(level) - 1];
    const std::string heading = fmt::format("hint {} of {}: {}", level, count, hint.title);
    fmt::print("{}\n{}\n", level == one.hints ? style.strong(heading) : style.quiet(heading),
               render_markdown(hint.body, style));
  }
  fmt::print("{}\n", style.quiet(one.hints < count
                                     ? fmt::format("more: {} hint {}", paths.command, (*puzzle)->id)
                                     : fmt::format("that was the last one; the idea itself: {} lesson {}",
                                                   paths.command, (*puzzle)->id)));
  progress.set((*puzzle)->id, one);
  if (auto error = progress.save()) return fail(*error);
  return 0;
}

}  // namespace fusebox
