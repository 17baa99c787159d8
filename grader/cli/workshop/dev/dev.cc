#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/source_file.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {

namespace fs = std::filesystem;

int dev_skeletons_verb(const WorkspacePaths& paths, const Options& options) {
  int written = 0;
  for (const Puzzle& puzzle : puzzles()) {
    if (!options.puzzle.empty() && find_puzzle(options.puzzle) != &puzzle) continue;
    const auto solution = read_source(paths.solutions() / puzzle.file_name());
    if (!solution) return fail(solution.error());
    const auto skeleton = strip_blanks(solution->text);
    if (!skeleton) return fail(skeleton.error());
    const fs::path file = paths.puzzles() / puzzle.file_name();
    const auto current = read_source(file);
    if (current && current->text == *skeleton) continue;
    if (auto error = write_atomically(file, *skeleton)) return fail(*error);
    fmt::print("wrote {}\n", shown(file));
    ++written;
  }
  if (written == 0) fmt::print("puzzles/ is up to date\n");
  return 0;
}

int dev_warm_verb(const WorkspacePaths& paths, const Options& options) {
  auto machine = Machine::open(paths, options);
  if (!machine) return fail(machine.error());
  const Services services = (*machine)->services();
  const std::vector<Puzzle>& all = puzzles();
  std::vector<std::optional<Error>> errors(all.size());
  on_both_devices(services, all.size(), [&](std::size_t i, const Services& own) {
    const auto source = read_source(paths.solutions() / all[i].file_name());
    const auto compiled = source ? own.compile(*source) : Result<CompileResult>(source.error());
    if (!compiled)
      errors[i] = compiled.error();
    else if (const auto* failure = std::get_if<CompileFailure>(&*compiled))
      errors[i] = Error{ErrorKind::internal,
                        fmt::format("{} does not compile:\n{}", shown(source->path), failure->output), ""};
    else if (options.verbose)
      fmt::print("{}\n", all[i].file_name());
  });
  for (const auto& error : errors)
    if (error) return fail(*error);
  // After all references: known mistakes are needed only at the first wrong answer.
  on_both_devices(services, all.size(), [&](std::size_t i, const Services& own) {
    const auto source = read_source(paths.solutions() / all[i].file_name());
    const auto mutants = load_mutants({paths.texts(), all[i]});
    const auto blanks = source ? find_blanks(source->text) : Result<std::vector<Blank>>(source.error());
    if (!blanks || !mutants) return;
    for (const Blank& blank : *blanks) (void)compile_wrong_answers(own, *source, *mutants, blank.name);
  });
  return 0;
}

}  // namespace fusebox
