#include "grader/catalog/operators/row_sum.h"

namespace fusebox::specs::p07_warp_sum {

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p07";
  puzzle.slug = "warp_sum";
  puzzle.title = "Sums of rows, by warps";
  puzzle.chapter = "Part 3. Reductions";
  puzzle.cases = row_sum_cases();
  puzzle.full_size = row_sum_full_size();
  puzzle.timed = {{puzzle.full_size->which, puzzle.full_size->min_bytes}};
  puzzle.make = make_row_sum;
  puzzle.formula = row_sum_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = row_sum_signature();
  entry.blanks = {"warp_sum", "block_sum"};
  entry.budgets = row_sum_budgets(puzzle.counted_case());
  // A float for each warp of the largest block there is.
  constexpr double kWarpsOfABlock = 32;
  entry.budgets.push_back({"shared_bytes", 4 * kWarpsOfABlock});
  entry.full_size_budgets = row_sum_full_size_budgets();
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p07_warp_sum
