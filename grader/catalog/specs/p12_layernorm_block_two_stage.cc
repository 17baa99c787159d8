#include <utility>

#include "grader/catalog/operators/norms/layer_norm_step.h"

namespace fusebox::specs::p12_layernorm_block_two_stage {

Puzzle spec() {
  LayerNormStep step{{"block_stage", "statistics", "normalize", "launch"}};
  step.reads = 2;  // for both statistics, for the answer
  step.rows = 16, step.columns = 8192;
  step.full_rows = 1024, step.full_columns = 16384;
  Puzzle puzzle = layer_norm_step(step);
  puzzle.id = "p12";
  puzzle.slug = "layernorm_block_two_stage";
  puzzle.title = "LayerNorm, rung 5: a block for each wide row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  for (Case& wide : layer_norm_wide_cases()) puzzle.cases.push_back(std::move(wide));
  puzzle.timed.push_back(
      layer_norm_timed_case("wide", "rows that are wide for a warp", step.full_rows, step.full_columns));
  return puzzle;
}

}  // namespace fusebox::specs::p12_layernorm_block_two_stage
