#include <utility>

#include "grader/catalog/operators/norms/layer_norm_step.h"

namespace fusebox::specs::p13_layernorm_registers {

Puzzle spec() {
  Puzzle puzzle = layer_norm_step({{"load_row", "statistics", "store_row", "launch"}});
  puzzle.id = "p13";
  puzzle.slug = "layernorm_registers";
  puzzle.title = "LayerNorm, top rung: the row in registers";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  for (Case& wide : layer_norm_wide_cases()) puzzle.cases.push_back(std::move(wide));
  puzzle.cases.push_back({"vectors",
                          "whole rows of 16-byte pieces, a block with a warp to spare",
                          {{"M", 5}, {"N", 768}},
                          "rows"});
  puzzle.cases.push_back(
      {"longest", "a row longer than any block is likely to keep", {{"M", 2}, {"N", 20004}}, "rows"});
  puzzle.cases.push_back(
      {"longest_odd", "the same where rows are not aligned", {{"M", 2}, {"N", 16391}}, "rows"});
  puzzle.timed.push_back(layer_norm_timed_case(
      "wide", "x and out far larger than any cache, rows that are wide for a warp", 16384, 4096));
  // An array that is indexed at run time looks like registers, and is memory.
  puzzle.entries[0].budgets.push_back({"local_requests", 0});
  return puzzle;
}

}  // namespace fusebox::specs::p13_layernorm_registers
