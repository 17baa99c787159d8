#include "grader/catalog/operators/norms/layer_norm_rung.h"

#include "grader/report/hardware.h"

namespace fusebox {
namespace {

struct RungBytes {
  double compulsory, requested;
};

RungBytes rung_bytes(std::int64_t rows, std::int64_t columns, int reads) {
  const double x = sector_bytes(rows * columns), row_vector = sector_bytes(rows),
               column_vector = sector_bytes(columns), row_count = static_cast<double>(rows);
  // mean and rstd: one thread of a row writes 4 bytes of a sector.
  return {2 * x + 2 * column_vector + 2 * row_vector,
          (reads + 1) * x + row_count * (2 * column_vector + 2 * kSectorBytes)};
}

}  // namespace

Puzzle layer_norm_rung(const LayerNormRung& rung) {
  Puzzle puzzle;
  puzzle.cases = layer_norm_cases(rung.rows, rung.columns);
  puzzle.timed = layer_norm_timed();
  puzzle.full_size = layer_norm_full_size(rung.full_rows, rung.full_columns);
  puzzle.make = make_layer_norm;
  puzzle.formula = layer_norm_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = layer_norm_signature();
  entry.blanks = rung.blanks;
  const RungBytes counted = rung_bytes(rung.rows, rung.columns, rung.reads),
                  full = rung_bytes(rung.full_rows, rung.full_columns, rung.reads);
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
