#include <fmt/format.h>

#include <filesystem>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
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
  for (const Puzzle& puzzle : puzzles()) {
    const auto source = read_source(paths.solutions() / puzzle.file_name());
    if (!source) return fail(source.error());
    const auto compiled = services.compile(*source);
    if (!compiled) return fail(compiled.error());
    if (const auto* failure = std::get_if<CompileFailure>(&*compiled))
      return fail({ErrorKind::internal,
                   fmt::format("{} does not compile:\n{}", shown(source->path), failure->output), ""});
    if (options.verbose) fmt::print("{}\n", puzzle.file_name());
  }
  // After all references: known mistakes are needed only at the first wrong answer.
  for (const Puzzle& puzzle : puzzles()) {
    const auto source = read_source(paths.solutions() / puzzle.file_name());
    const auto mutants = load_mutants({paths.texts(), puzzle});
    const auto blanks = source ? find_blanks(source->text) : Result<std::vector<Blank>>(source.error());
    if (!blanks || !mutants) continue;
    for (const Blank& blank : *blanks) (void)compile_mistakes(services, *source, *mutants, blank.name);
  }
  return 0;
}

}  // namespace fusebox
