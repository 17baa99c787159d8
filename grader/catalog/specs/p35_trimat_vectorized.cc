#include "grader/catalog/operators/trimat.h"

namespace fusebox::specs::p35_trimat_vectorized {

Puzzle spec() {
  Puzzle puzzle = trimat_step({"products", "store"});
  puzzle.id = "p35";
  puzzle.slug = "trimat_vectorized";
  puzzle.title = "Attention scores, rung 3: float4";
  puzzle.chapter = "Part 10. Attention scores";
  const Case &counted = puzzle.counted_case(), &full = puzzle.full_size->which;
  Entry& entry = puzzle.entries[0];
  // Squares of 4 x 4 results a thread are enough here, too.
  constexpr TrimatThreads kSmaller{4, 4};
  entry.budgets.push_back({"bytes.requested", with_room(trimat_requested(counted, kSmaller))});
  entry.budgets.push_back({"requests", with_room(trimat_requests(counted, kSmaller))});
  entry.budgets.push_back({"local_requests", 0});
  entry.full_size_budgets = full_size_budgets(trimat_compulsory(full, 128), trimat_requested(full, kSmaller));
  return puzzle;
}

}  // namespace fusebox::specs::p35_trimat_vectorized
