#include "grader/catalog/rms_norm.h"

namespace fusebox::specs::p22_rmsnorm_streaming {
namespace {

std::vector<Budget> budgets(const Case& counted) {
  const RmsNormBytes bytes = rms_norm_bytes(counted);
  // For each row x is asked for twice and the weights once, and out is written once.
  return {
      {"launches", 1},
      {"bytes.requested", with_room(3 * bytes.pass + bytes.weight_of_every_row)},
      {"bytes.compulsory", with_room(2 * bytes.pass + bytes.weight)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p22";
  puzzle.slug = "rmsnorm_streaming";
  puzzle.title = "RMSNorm, streaming the row twice";
  puzzle.chapter = "Part 6. RMSNorm";
  puzzle.cases = rms_norm_cases();
  puzzle.timed = rms_norm_timed();
  puzzle.full_size = rms_norm_full_size();
  puzzle.make = make_rms_norm;
  puzzle.formula = rms_norm_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = rms_norm_signature("rmsnorm");
  entry.blanks = {"row_statistics", "scale_row", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const RmsNormBytes full = rms_norm_bytes(puzzle.full_size->which);
  entry.full_size_budgets =
      full_size_budgets(2 * full.pass + full.weight, 3 * full.pass + full.weight_of_every_row);
  puzzle.entries = {entry};

  return puzzle;
}

}  // namespace fusebox::specs::p22_rmsnorm_streaming
