#include "grader/catalog/operators/copy.h"

namespace fusebox::specs::p01_copy {

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p01";
  puzzle.slug = "copy";
  puzzle.title = "A coalesced copy";
  puzzle.chapter = "Part 1. Moving bytes";
  puzzle.cases = copy_cases(65536);
  puzzle.timed = copy_timed();
  puzzle.full_size = copy_full_size();
  puzzle.make = make_copy;
  puzzle.formula = copy_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = copy_signature();
  entry.blanks = {"copy_loop", "launch"};
  entry.budgets = copy_budgets(puzzle.counted_case());
  entry.full_size_budgets = copy_full_size_budgets();
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p01_copy
