#include "grader/cli/workshop/dev/grade_text.h"

#include <utility>

namespace fusebox {

Result<Report> grade_text(const WorkspacePaths& paths, const Puzzle& puzzle, const Services& services,
                          GradingOptions options) {
  if (auto mutants = load_mutants({paths.texts(), puzzle})) options.mutants = std::move(*mutants);
  Grading grading(puzzle, services, options);
  for (const Entry* entry : grading.entries()) {
    grading.check_file();
    grading.check_signature(*entry);
    grading.check_blanks(*entry);
    for (const Case& which : puzzle.cases) grading.check_case(*entry, which);
    for (std::size_t i = 0; i < entry->budgets.size(); ++i) grading.check_budget(*entry, i);
  }
  Report report = grading.report();
  if (grading.error()) return *grading.error();
  return report;
}

}  // namespace fusebox
