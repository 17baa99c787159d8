#include "grader/catalog/layer_norm.h"

namespace fusebox::specs {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

std::vector<Budget> budgets() {
  const double x = sector_bytes(kRows * kColumns), row_vector = sector_bytes(kRows),
               column_vector = sector_bytes(kColumns);
  // Every lane has a sector of its own: x is asked for three times, out once, each time 32 bytes for 4. gamma
  // and beta are the same address for the whole warp: one sector for each column and warp.
  const double requested = 4 * 8 * x + kRows / 32 * 2 * 32.0 * kColumns + 2 * row_vector;
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(2 * x + 2 * column_vector + 2 * row_vector)},
      {"bytes.requested", with_room(requested)},
  };
}

}  // namespace

Puzzle p08_layernorm_thread_per_row() {
  Puzzle puzzle;
  puzzle.id = "p08";
  puzzle.slug = "layernorm_thread_per_row";
  puzzle.title = "LayerNorm, rung 1: a thread for each row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel", layer_norm_signature(), {"statistics", "normalize"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size();
  puzzle.make = make_layer_norm;
  return puzzle;
}

}  // namespace fusebox::specs
