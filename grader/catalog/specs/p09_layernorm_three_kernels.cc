#include "grader/catalog/layer_norm.h"

namespace fusebox::specs {
namespace {

constexpr std::int64_t kRows = 256, kColumns = 512;  // of the counted case

std::vector<Budget> budgets() {
  constexpr double kWarpsPerBlock = 8, kSector = 32;
  const double x = sector_bytes(kRows * kColumns), row_vector = sector_bytes(kRows),
               column_vector = sector_bytes(kColumns);
  // mean is written once and read by two launches, rstd written and read once; x is read by all three.
  const double compulsory = 3 * x + x + 5 * row_vector + 2 * column_vector;
  // Every row asks for gamma and beta. Every warp asks for a sector to learn its row's mean, and again for
  // mean and rstd; one thread of a row writes each of them.
  const double requested = 4 * x + 2 * kRows * column_vector + kRows * kSector * (3 * kWarpsPerBlock + 2);
  return {
      {"launches", 3},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(compulsory)},
      {"bytes.requested", with_room(requested)},
      {"sectors_over_ideal", kCoalesced},
  };
}

}  // namespace

Puzzle p09_layernorm_three_kernels() {
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
  puzzle.make = make_layer_norm;
  return puzzle;
}

}  // namespace fusebox::specs
