#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/operators/norms/layer_norm.h"

namespace fusebox {

/// A step of the LayerNorm ladder that is one launch of warps or blocks that have whole rows each.
struct LayerNormStep {
  std::vector<std::string> blanks;
  int reads = 1;                                       ///< of x
  std::int64_t rows = 256, columns = 512;              ///< of the counted case
  std::int64_t full_rows = 32768, full_columns = 768;  ///< at full size
};

/// The step's puzzle but for its names, which stand in the spec, where the launcher reads them: cases, sizes,
/// oracle, and the budgets that follow from `reads`: x is asked for so often, gamma and beta once for each
/// row.
Puzzle layer_norm_step(const LayerNormStep& step);

}  // namespace fusebox
