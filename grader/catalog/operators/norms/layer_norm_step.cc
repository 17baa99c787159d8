#include "grader/catalog/operators/norms/layer_norm_step.h"

#include "grader/report/hardware.h"

namespace fusebox {
namespace {

struct StepBytes {
  double compulsory, requested;
};

StepBytes step_bytes(std::int64_t rows, std::int64_t columns, int reads) {
  const double x = sector_bytes(rows * columns), row_vector = sector_bytes(rows),
               column_vector = sector_bytes(columns), row_count = static_cast<double>(rows);
  // mean and rstd: one thread of a row writes 4 bytes of a sector.
  return {2 * x + 2 * column_vector + 2 * row_vector,
          (reads + 1) * x + row_count * (2 * column_vector + 2 * kSectorBytes)};
}

}  // namespace

Puzzle layer_norm_step(const LayerNormStep& step) {
  Puzzle puzzle;
  puzzle.cases = layer_norm_cases(step.rows, step.columns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size(step.full_rows, step.full_columns);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = layer_norm_signature();
  entry.blanks = step.blanks;
  const StepBytes counted = step_bytes(step.rows, step.columns, step.reads),
                  full = step_bytes(step.full_rows, step.full_columns, step.reads);
  entry.budgets = {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"bytes.compulsory", with_room(counted.compulsory)},
      {"bytes.requested", with_room(counted.requested)},
      {"sectors_over_ideal", kCoalesced},
  };
  entry.full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox
