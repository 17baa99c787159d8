#include <cmath>

#include "grader/catalog/operators/norms/layer_norm.h"
#include "grader/report/hardware.h"

namespace fusebox::specs::p09_layernorm_three_kernels {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

struct Bytes {
  double compulsory, requested;
};

Bytes bytes_of(std::int64_t rows, std::int64_t columns) {
  // A block may have 32 to 1024 threads: the numbers that each warp asks for are counted for the most warps.
  constexpr double kWarpsPerBlock = 32;
  const double x = sector_bytes(rows * columns), row_vector = sector_bytes(rows),
               column_vector = sector_bytes(columns), row_count = static_cast<double>(rows);
  // mean is written once and read by two launches, rstd written and read once; x is read by all three.
  // Every row asks for gamma and beta. Every warp asks for a sector to learn its row's mean, and again for
  // mean and rstd; one thread of a row writes each of them.
  return {3 * x + x + 5 * row_vector + 2 * column_vector,
          4 * x + 2 * row_count * column_vector + row_count * kSectorBytes * (3 * kWarpsPerBlock + 2)};
}

std::vector<Budget> budgets() {
  const Bytes counted = bytes_of(kRows, kColumns);
  return {
      {"launches", 3},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(counted.compulsory)},
      // Little more: x a fourth and a fifth time would pass as well.
      {"bytes.requested", std::ceil(1.04 * counted.requested)},
      {"sectors_over_ideal", kCoalesced},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p09";
  puzzle.slug = "layernorm_three_kernels";
  puzzle.title = "LayerNorm, rung 2: three kernels";
  puzzle.chapter = "Part 4. The LayerNorm ladder";
  puzzle.entries = {
      {"kernel", layer_norm_signature(), {"row_mean", "row_rstd", "normalize", "launches"}, {}, budgets()}};
  puzzle.cases = layer_norm_cases(kRows, kColumns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size();
  const Case& which = puzzle.full_size->which;
  const Bytes full = bytes_of(size_of(which, "M"), size_of(which, "N"));
  puzzle.entries[0].full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;
  return puzzle;
}

}  // namespace fusebox::specs::p09_layernorm_three_kernels
