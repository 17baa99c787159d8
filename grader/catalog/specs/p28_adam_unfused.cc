#include "grader/catalog/operators/adam.h"

namespace fusebox::specs::p28_adam_unfused {
namespace {

/// Tensors that five launches read and write: g, m, m of the first moment; g, v, v of the second; two for
/// each correction; p, m_hat, v_hat, p of the update.
constexpr double kAccesses = 3 + 3 + 2 + 2 + 4;
constexpr int kLaunches = 5, kIntermediates = 2;

std::vector<Budget> budgets(const Case& counted) {
  const double tensor = sector_bytes(size_of(counted, "count"));
  return {
      {"launches", kLaunches},
      {"bytes.requested", with_room(kAccesses * tensor)},
      {"bytes.compulsory", with_room(kAccesses * tensor)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", with_room(kIntermediates * tensor)},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p28";
  puzzle.slug = "adam_unfused";
  puzzle.title = "Adam in five kernels";
  puzzle.chapter = "Part 8. Optimisers";
  puzzle.cases = adam_cases();
  puzzle.timed = adam_timed();
  puzzle.full_size = adam_full_size();
  puzzle.make = make_adam;
  puzzle.formula = adam_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = adam_signature();
  entry.blanks = {"first_moment", "second_moment", "correct", "update", "launches"};
  entry.intermediates = {"m_hat", "v_hat"};
  entry.budgets = budgets(puzzle.counted_case());
  const double tensor = sector_bytes(size_of(puzzle.full_size->which, "count"));
  entry.full_size_budgets = full_size_budgets(kAccesses * tensor, kAccesses * tensor);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p28_adam_unfused
