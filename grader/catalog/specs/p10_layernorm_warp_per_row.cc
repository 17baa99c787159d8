#include "grader/catalog/operators/norms/layer_norm_step.h"

namespace fusebox::specs::p10_layernorm_warp_per_row {

Puzzle spec() {
  LayerNormStep step{{"statistics", "normalize", "launch"}};
  step.reads = 3;  // for the sum, for the squares around the mean, for the answer
  Puzzle puzzle = layer_norm_step(step);
  puzzle.id = "p10";
  puzzle.slug = "layernorm_warp_per_row";
  puzzle.title = "LayerNorm, rung 3: a warp for each row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  auto& budgets = puzzle.entries[0].budgets;
  budgets.insert(budgets.begin() + 2, {"shared_bytes", 0});
  return puzzle;
}

}  // namespace fusebox::specs::p10_layernorm_warp_per_row
