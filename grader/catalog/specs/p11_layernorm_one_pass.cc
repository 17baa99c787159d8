#include <algorithm>

#include "grader/catalog/operators/norms/layer_norm_step.h"

namespace fusebox::specs::p11_layernorm_one_pass {

Puzzle spec() {
  LayerNormStep step{{"add_value", "merge", "statistics"}};
  step.reads = 2;  // for both statistics, for the answer
  Puzzle puzzle = layer_norm_step(step);
  puzzle.id = "p11";
  puzzle.slug = "layernorm_one_pass";
  puzzle.title = "LayerNorm, rung 4: statistics in one pass";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  // The case that tells the ways to take a variance apart comes first: where it fails, it is what is shown.
  auto& cases = puzzle.cases;
  const auto offset =
      std::find_if(cases.begin(), cases.end(), [](const Case& c) { return c.name == "offset"; });
  std::rotate(cases.begin(), offset, offset + 1);
  return puzzle;
}

}  // namespace fusebox::specs::p11_layernorm_one_pass
