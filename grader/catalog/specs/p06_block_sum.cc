#include "grader/catalog/operators/row_sum.h"

namespace fusebox::specs::p06_block_sum {

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p06";
  puzzle.slug = "block_sum";
  puzzle.title = "Sums of rows, a tree in shared memory";
  puzzle.chapter = "Part 3. Reductions";
  puzzle.cases = row_sum_cases();
  puzzle.full_size = row_sum_full_size();
  puzzle.timed = {{puzzle.full_size->which, puzzle.full_size->min_bytes}};
  puzzle.make = make_row_sum;
  puzzle.formula = row_sum_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = row_sum_signature();
  entry.blanks = {"coarsen", "tree", "launch"};
  entry.budgets = row_sum_budgets(puzzle.counted_case());
  entry.budgets.push_back({"bank_conflicts", 0});
  entry.full_size_budgets = row_sum_full_size_budgets();
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p06_block_sum
