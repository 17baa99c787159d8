#include <fmt/format.h>

#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

int solution_verb(const WorkspacePaths& paths, const Options& options) {
  const auto puzzle = asked_puzzle(options);
  if (!puzzle) return fail(puzzle.error());
  if (!options.force && !Progress::load(paths.progress()).of((*puzzle)->id).solved)
    return fail({ErrorKind::not_passed,
                 fmt::format("{} is not solved yet, so its solution stays closed", (*puzzle)->id),
                 fmt::format("`{0} hint {1}` helps; `{0} solution {1} --force` shows it all the same",
                             paths.command, (*puzzle)->id)});
  const auto reference = read_source(paths.solutions() / (*puzzle)->file_name());
  if (!reference) return fail({ErrorKind::missing_part, reference.error().what, "git checkout -- solutions"});
  fmt::print("{}", reference->text);
  std::error_code error;
  if (const auto optimized = paths.optimized() / (*puzzle)->file_name();
      std::filesystem::exists(optimized, error))
    fmt::print("// A faster one, less easy to read: {}\n", shown(optimized));
  return 0;
}

}  // namespace fusebox
