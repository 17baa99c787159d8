#include "grader/catalog/operators/norms/rms_norm.h"

namespace fusebox::specs::p23_rmsnorm_resident {
namespace {

constexpr int kReads = 1;  // of x

std::vector<Case> cases() {
  const auto sized = [](std::int64_t rows, std::int64_t columns) {
    return Sizes{{"rows", rows}, {"columns", columns}};
  };
  std::vector<Case> all = rms_norm_cases();
  const std::vector<Case> long_rows = {
      {"columns_1025", "one column more than a block may have threads", sized(3, 1025), "rows"},
      {"columns_8193", "one column more than 1024 threads with eight each", sized(2, 8193), "rows"},
      {"columns_12288", "a row of 48 KiB, beside what the kernel has of its own", sized(2, 12288), "rows"},
      {"columns_12289", "a row of one float more than 48 KiB", sized(2, 12289), "rows"},
      {"columns_32768", "the longest row, 128 KiB", sized(1, 32768), "normal"},
  };
  all.insert(all.end() - 1, long_rows.begin(), long_rows.end());
  return all;
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
  shared.budgets = rms_norm_budgets(counted, kReads);
  shared.full_size_budgets = rms_norm_full_size_budgets(kReads);

  Entry registers = shared;
  registers.name = "registers";
  registers.signature = rms_norm_signature("rmsnorm_registers");
  registers.blanks = {"keep_in_registers", "scale_from_registers", "launch_registers"};
  // Half of a row: enough for any sum over a block, and not for the row.
  registers.budgets.push_back({"shared_bytes", sector_bytes(size_of(counted, "columns")) / 2});
  registers.budgets.push_back({"local_requests", 0});
  puzzle.entries = {shared, registers};
  return puzzle;
}

}  // namespace fusebox::specs::p23_rmsnorm_resident
