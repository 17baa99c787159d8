#include <utility>

#include "grader/catalog/layer_norm.h"

namespace fusebox::specs::p12_layernorm_block_two_stage {
namespace {

constexpr std::int64_t kRows = 16, kColumns = 8192;             // of the counted case
constexpr std::int64_t kFullRows = 1024, kFullColumns = 16384;  // timed, and simulated at full size
constexpr int kReads = 2;                                       // of x: for both statistics, for the answer

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
  puzzle.id = "p12";
  puzzle.slug = "layernorm_block_two_stage";
  puzzle.title = "LayerNorm, rung 5: a block for each wide row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel",
                     layer_norm_signature(),
                     {"block_stage", "statistics", "normalize", "launch"},
                     {},
                     budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  for (Case& wide : layer_norm_wide_cases()) puzzle.cases.push_back(std::move(wide));
  puzzle.timed = layer_norm_timed();
  puzzle.timed.push_back(
      layer_norm_timed_case("wide", "rows that are wide for a warp", kFullRows, kFullColumns));
  puzzle.full_size = layer_norm_full_size(kFullRows, kFullColumns);
  const Case& which = puzzle.full_size->which;
  const LayerNormBytes full = layer_norm_bytes(size_of(which, "M"), size_of(which, "N"), kReads);
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p12_layernorm_block_two_stage
