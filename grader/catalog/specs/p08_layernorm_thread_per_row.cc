#include "grader/catalog/operators/norms/layer_norm.h"

namespace fusebox::specs::p08_layernorm_thread_per_row {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

struct Bytes {
  double compulsory, requested;
};

Bytes bytes_of(std::int64_t rows, std::int64_t columns) {
  const double x = sector_bytes(rows * columns), row_vector = sector_bytes(rows),
               column_vector = sector_bytes(columns);
  // Every lane has a sector of its own: x is asked for three times, out once, each time 32 bytes for 4. gamma
  // and beta are the same address for the whole warp: one sector for each column and warp.
  return {2 * x + 2 * column_vector + 2 * row_vector,
          4 * 8 * x + static_cast<double>(rows / 32 * 2 * 32 * columns) + 2 * row_vector};
}

std::vector<Budget> budgets() {
  const Bytes counted = bytes_of(kRows, kColumns);
  return {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(counted.compulsory)},
      {"bytes.requested", with_room(counted.requested)},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p08";
  puzzle.slug = "layernorm_thread_per_row";
  puzzle.title = "LayerNorm, rung 1: a thread for each row";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {{"kernel", layer_norm_signature(), {"statistics", "normalize"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size();
  const Case& which = puzzle.full_size->which;
  const std::int64_t rows = size_of(which, "M"), columns = size_of(which, "N");
  const Bytes full = bytes_of(rows, columns);
  // All blocks are at work at once, on rows that are together more than L2 holds: each pass reads x anew.
  const double two_more_passes = 2 * 4 * static_cast<double>(rows * columns);
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory + two_more_passes, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p08_layernorm_thread_per_row
