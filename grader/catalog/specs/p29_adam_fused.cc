#include "grader/catalog/operators/adam.h"

namespace fusebox::specs::p29_adam_fused {
namespace {

std::vector<Budget> budgets(const Case& counted) {
  const double tensor = sector_bytes(size_of(counted, "count"));
  // p, g, m and v are read once, p, m and v written once: 28 bytes a parameter. Where the compiler has to
  // believe that tensors overlap, it loads one of them again behind a store: that is allowed, a second reload
  // is not.
  return {
      {"launches", 1},
      {"bytes.requested", 8.5 * tensor},
      {"bytes.compulsory", with_room(7 * tensor)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p29";
  puzzle.slug = "adam_fused";
  puzzle.title = "Adam in one kernel";
  puzzle.chapter = "Part 8. Optimisers";
  puzzle.cases = adam_cases();
  puzzle.timed = adam_timed();
  puzzle.full_size = adam_full_size();
  puzzle.make = make_adam;
  puzzle.formula = adam_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = adam_signature();
  entry.blanks = {"update", "step", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const double tensor = sector_bytes(size_of(puzzle.full_size->which, "count"));
  entry.full_size_budgets = full_size_budgets(7 * tensor, 7 * tensor);
  puzzle.entries = {entry};

  return puzzle;
}

}  // namespace fusebox::specs::p29_adam_fused
