#include <utility>

#include "grader/catalog/layer_norm.h"

namespace fusebox::specs::p13_layernorm_registers {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case
constexpr int kReads = 1;                            // of x

std::vector<Case> cases() {
  std::vector<Case> all = layer_norm_cases(kRows, kColumns);
  for (Case& wide : layer_norm_wide_cases()) all.push_back(std::move(wide));
  all.push_back({"vectors",
                 "whole rows of 16-byte pieces, a block with a warp to spare",
                 {{"M", 5}, {"N", 768}},
                 "rows"});
  all.push_back(
      {"longest", "a row longer than any block is likely to keep", {{"M", 2}, {"N", 20004}}, "rows"});
  all.push_back({"longest_odd", "the same where rows are not aligned", {{"M", 2}, {"N", 16391}}, "rows"});
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
      // An array that is indexed at run time looks like registers, and is memory.
      {"local_requests", 0},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p13";
  puzzle.slug = "layernorm_registers";
  puzzle.title = "LayerNorm, top rung: the row in registers";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {
      {"kernel", layer_norm_signature(), {"load_row", "statistics", "store_row", "launch"}, {}, budgets()}};
  puzzle.cases = cases();
  puzzle.timed = layer_norm_timed();
  puzzle.timed.push_back(layer_norm_timed_case(
      "wide", "x and out far larger than any cache, rows that are wide for a warp", 16384, 4096));
  puzzle.full_size = layer_norm_full_size();
  const Case& which = puzzle.full_size->which;
  const LayerNormBytes full = layer_norm_bytes(size_of(which, "M"), size_of(which, "N"), kReads);
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p13_layernorm_registers
