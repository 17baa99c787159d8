#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "grader/cli/render/render.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/judge/workshop/workbook.h"

namespace fusebox {
namespace {

/// What has been found so far, and how it is shown.
struct CheckedRules {
  Style style;
  bool verbose = false;
  std::size_t kept = 0, broken = 0;
  std::vector<ToWrite> to_write;

  void show(const std::vector<Check>& checks) {
    for (const Check& check : checks) {
      const bool good = check.outcome == Outcome::passed;
      (good ? kept : broken) += 1;
      if (!good || verbose) fmt::print("{}", render_check(check, style, !good));
    }
    std::fflush(stdout);
  }
};

void check_one(const Puzzle& puzzle, const WorkspacePaths& paths, const Workbook& workbook,
               CheckedRules& findings) {
  fmt::print("{} {}\n", findings.style.strong(puzzle.id), puzzle.slug);
  std::fflush(stdout);
  for (auto rules : {check_puzzle_files, check_unsolved, check_solutions})
    findings.show(rules(puzzle, workbook));
  Proof proof;
  findings.show(check_mutants(puzzle, workbook, proof));
  fmt::print("{}", describe(proof));
  for (ToWrite& place : still_to_write(puzzle, workbook, paths.spec(puzzle.id + "_" + puzzle.slug)))
    findings.to_write.push_back(std::move(place));
}

}  // namespace

int dev_check_verb(const WorkspacePaths& paths, const Options& options) {
  // The rules compare whole reports, and what is measured differs from run to run.
  Options counted = options;
  counted.backend = "sim";
  auto machine = Machine::open(paths, counted);
  if (!machine) return fail(machine.error());
  Workbook workbook;
  workbook.paths = paths;
  workbook.services = (*machine)->services();
  workbook.seed = options.seed.value_or(20);

  CheckedRules findings{style_for(STDOUT_FILENO, options.no_color), options.verbose, 0, 0, {}};
  if (options.puzzle.empty()) {
    findings.show(check_shelves(workbook));
    for (const Puzzle& puzzle : puzzles()) check_one(puzzle, paths, workbook, findings);
  } else {
    const auto puzzle = asked_puzzle(options);
    if (!puzzle) return fail(puzzle.error());
    check_one(**puzzle, paths, workbook, findings);
  }
  if (!findings.to_write.empty()) {
    fmt::print("still to write:\n");
    for (const ToWrite& place : findings.to_write)
      fmt::print("  {}:{}: {}\n", shown(place.file), place.line, place.what);
  }
  fmt::print("{} rules kept, {} broken", findings.kept, findings.broken);
  if (findings.broken == 0 && !findings.to_write.empty())
    fmt::print(": complete but for its answers, {} places are still to write", findings.to_write.size());
  fmt::print("\n");
  return findings.broken == 0 && findings.to_write.empty() ? 0 : 1;
}

}  // namespace fusebox
