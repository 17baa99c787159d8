#include "grader/catalog/layer_norm.h"

namespace fusebox::specs::p10_layernorm_warp_per_row {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case
constexpr int kReads = 3;  // of x: for the sum, for the squares around the mean, for the answer

std::vector<Budget> budgets() {
  const LayerNormBytes counted = layer_norm_bytes(kRows, kColumns, kReads);
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"shared_bytes", 0},
      {"bytes.compulsory", with_room(counted.compulsory)},
      {"bytes.requested", with_room(counted.requested)},
      {"sectors_over_ideal", kCoalesced},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p10";
  puzzle.slug = "layernorm_warp_per_row";
  puzzle.title = "LayerNorm, rung 3: a warp for each row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel", layer_norm_signature(), {"statistics", "normalize", "launch"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size();
  const Case& which = puzzle.full_size->which;
  const LayerNormBytes full = layer_norm_bytes(size_of(which, "M"), size_of(which, "N"), kReads);
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p10_layernorm_warp_per_row
