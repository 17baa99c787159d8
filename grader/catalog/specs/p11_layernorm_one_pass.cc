#include <algorithm>

#include "grader/catalog/layer_norm.h"

namespace fusebox::specs::p11_layernorm_one_pass {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case
constexpr int kReads = 2;                            // of x: for both statistics, for the answer

/// The case that tells the ways to take a variance apart comes first: where it fails, it is what is shown.
std::vector<Case> cases() {
  std::vector<Case> all = layer_norm_cases(kRows, kColumns);
  const auto offset = std::find_if(all.begin(), all.end(), [](const Case& c) { return c.name == "offset"; });
  std::rotate(all.begin(), offset, offset + 1);
  return all;
}

std::vector<Budget> budgets() {
  const LayerNormBytes counted = layer_norm_bytes(kRows, kColumns, kReads);
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(counted.compulsory)},
      {"bytes.requested", with_room(counted.requested)},
      {"sectors_over_ideal", kCoalesced},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p11";
  puzzle.slug = "layernorm_one_pass";
  puzzle.title = "LayerNorm, rung 4: statistics in one pass";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel", layer_norm_signature(), {"add_value", "merge", "statistics"}, {}, budgets()}};
  puzzle.cases = cases();
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size();
  const Case& which = puzzle.full_size->which;
  const LayerNormBytes full = layer_norm_bytes(size_of(which, "M"), size_of(which, "N"), kReads);
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p11_layernorm_one_pass
