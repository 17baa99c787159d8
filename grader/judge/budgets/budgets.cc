#include "grader/judge/budgets/budgets.h"

#include <utility>

#include "grader/judge/budgets/metrics.h"

namespace fusebox {

std::vector<BudgetLine> check_budgets(std::span<const Budget> budgets, std::span<const Metric> student,
                                      std::span<const Metric> reference) {
  std::vector<BudgetLine> lines;
  for (const Budget& budget : budgets) {
    BudgetLine line;
    line.limit = budget.limit;
    if (const Metric* mine = find_metric(student, budget.metric)) line.student = *mine;
    if (const Metric* theirs = find_metric(reference, budget.metric)) {
      line.reference = theirs->value;
      if (line.student.tag.empty()) {
        line.student = *theirs;
        line.student.value.reset();
      }
    }
    if (line.student.tag.empty()) line.student.tag = line.student.name = budget.metric;
    line.within = line.student.value && *line.student.value <= budget.limit;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace fusebox
