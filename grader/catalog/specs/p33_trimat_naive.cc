#include "grader/catalog/operators/trimat.h"

namespace fusebox::specs::p33_trimat_naive {

Puzzle spec() {
  Puzzle puzzle = trimat_step({"skip", "products"});
  puzzle.id = "p33";
  puzzle.slug = "trimat_naive";
  puzzle.title = "Attention scores, rung 1: half of a square";
  puzzle.chapter = "Part 10. Attention scores";
  const Case &counted = puzzle.counted_case(), &full = puzzle.full_size->which;
  Entry& entry = puzzle.entries[0];
  // Also a thread for each result is right.
  entry.budgets.push_back({"bytes.requested", with_room(trimat_requested_alone(counted))});
  entry.full_size_budgets = full_size_budgets(trimat_compulsory(full, 128), trimat_requested_alone(full));
  return puzzle;
}

}  // namespace fusebox::specs::p33_trimat_naive
