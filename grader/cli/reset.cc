#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/judge/source/source_file.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {

int reset_verb(const WorkspacePaths& paths, const Options& options) {
  namespace fs = std::filesystem;
  const auto puzzle = asked_puzzle(options);
  if (!puzzle) return fail(puzzle.error());
  const fs::path file = paths.puzzles() / (*puzzle)->file_name();
  const auto reference = read_source(paths.solutions() / (*puzzle)->file_name());
  if (!reference) return fail({ErrorKind::missing_part, reference.error().what, "git checkout -- solutions"});
  const auto skeleton = strip_blanks(reference->text);
  if (!skeleton) return fail({ErrorKind::internal, skeleton.error().what, skeleton.error().remedy});

  std::error_code error;
  const auto current = read_source(file);
  if (current && current->text == *skeleton) {
    fmt::print("{} is as it was handed out.\n", shown(file));
    return 0;
  }
  const bool exists = fs::exists(fs::symlink_status(file, error));
  const fs::path backup = file.string() + ".bak";
  if (exists && !options.yes) {
    if (::isatty(STDIN_FILENO) != 1)
      return fail({ErrorKind::wrong_usage,
                   fmt::format("reset would replace your work in {}, and there is no terminal to ask at",
                               shown(file)),
                   "say --yes if you mean it"});
    fmt::print("Replace {} by the empty puzzle? Your work goes to {}. [y/N] ", shown(file), shown(backup));
    std::fflush(stdout);
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "Y" && answer != "yes") {
      fmt::print("Nothing changed.\n");
      return 1;
    }
  }
  if (exists) {
    fs::rename(file, backup, error);
    if (error)
      return fail({ErrorKind::missing_part,
                   fmt::format("cannot keep {} as {}: {}", shown(file), shown(backup), error.message()),
                   "make the folder writable, or move the old backup away"});
  }
  if (auto failed = write_atomically(file, *skeleton)) {
    fs::rename(backup, file, error);
    return fail(*failed);
  }
  Progress progress = Progress::load(paths.progress());
  PuzzleProgress one = progress.of((*puzzle)->id);
  one.solved = one.tried = false;
  progress.set((*puzzle)->id, one);
  (void)progress.save();
  fmt::print("{} is the empty puzzle again.{}\n", shown(file),
             exists ? fmt::format(" Your work: {}", shown(backup)) : "");
  return 0;
}

}  // namespace fusebox
