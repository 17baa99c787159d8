#include "grader/catalog/rms_norm.h"

namespace fusebox::specs::p23_rmsnorm_resident {
namespace {

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  std::vector<Case> all = rms_norm_cases();
  const std::vector<Case> long_rows = {
      {"columns_1025", "one column more than a block may have threads", sized(3, 1025), "rows"},
      {"columns_8193", "one column more than 1024 threads with eight each", sized(2, 8193), "rows"},
      {"columns_12289", "a row of one float more than 48 KiB", sized(2, 12289), "rows"},
      {"columns_32768", "the longest row, 128 KiB", sized(1, 32768), "normal"},
  };
  all.insert(all.end() - 1, long_rows.begin(), long_rows.end());
  return all;
}

std::vector<Budget> budgets(const Case& counted) {
  const RmsNormBytes bytes = rms_norm_bytes(counted);
  // For each row x and the weights are asked for once, and out is written once.
  return {
      {"launches", 1},
      {"bytes.requested", with_room(2 * bytes.pass + bytes.weight_of_every_row)},
      {"bytes.compulsory", with_room(2 * bytes.pass + bytes.weight)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p23";
  puzzle.slug = "rmsnorm_resident";
  puzzle.title = "RMSNorm, the row stays on the chip";
  puzzle.chapter = "Part 6. RMSNorm";
  puzzle.cases = cases();
  puzzle.timed = rms_norm_timed();
  puzzle.full_size = rms_norm_full_size();
  puzzle.make = make_rms_norm;
  puzzle.formula = rms_norm_formula;

  const Case& counted = puzzle.counted_case();
  Entry shared;
  shared.name = "shared";
  shared.signature = rms_norm_signature("rmsnorm_shared");
  shared.blanks = {"keep_in_shared", "scale_from_shared", "launch_shared"};
  shared.budgets = budgets(counted);
  const RmsNormBytes full = rms_norm_bytes(puzzle.full_size->which);
  shared.full_size_budgets =
      full_size_budgets(2 * full.pass + full.weight, 2 * full.pass + full.weight_of_every_row);

  Entry registers = shared;
  registers.name = "registers";
  registers.signature = rms_norm_signature("rmsnorm_registers");
  registers.blanks = {"keep_in_registers", "scale_from_registers", "launch_registers"};
  // Half of a row: enough for any sum over a block, and not for the row.
  registers.budgets.push_back({"shared_bytes", sector_bytes(size_of(counted, "columns")) / 2});
  puzzle.entries = {shared, registers};
  return puzzle;
}

}  // namespace fusebox::specs::p23_rmsnorm_resident
