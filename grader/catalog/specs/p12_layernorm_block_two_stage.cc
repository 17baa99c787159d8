#include <utility>

#include "grader/catalog/operators/norms/layer_norm_rung.h"

namespace fusebox::specs::p12_layernorm_block_two_stage {

Puzzle spec() {
  LayerNormRung rung{{"block_stage", "statistics", "normalize", "launch"}};
  rung.reads = 2;  // for both statistics, for the answer
  rung.rows = 16, rung.columns = 8192;
  rung.full_rows = 1024, rung.full_columns = 16384;
  Puzzle puzzle = layer_norm_rung(rung);
  puzzle.id = "p12";
  puzzle.slug = "layernorm_block_two_stage";
  puzzle.title = "LayerNorm, rung 5: a block for each wide row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  for (Case& wide : layer_norm_wide_cases()) puzzle.cases.push_back(std::move(wide));
  puzzle.timed.push_back(
      layer_norm_timed_case("wide", "rows that are wide for a warp", rung.full_rows, rung.full_columns));
  return puzzle;
}

}  // namespace fusebox::specs::p12_layernorm_block_two_stage
