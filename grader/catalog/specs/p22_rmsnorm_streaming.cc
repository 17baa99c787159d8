#include "grader/catalog/operators/norms/rms_norm.h"

namespace fusebox::specs::p22_rmsnorm_streaming {
namespace {

constexpr int kReads = 2;  // of x: for the sum of squares, for the answer

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
  entry.budgets = rms_norm_budgets(puzzle.counted_case(), kReads);
  entry.full_size_budgets = rms_norm_full_size_budgets(kReads);
  puzzle.entries = {entry};

  return puzzle;
}

}  // namespace fusebox::specs::p22_rmsnorm_streaming
