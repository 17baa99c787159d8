#pragma once

#include <span>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/report.h"

namespace fusebox {

/// One line for each budget. A metric that is absent or unknown is never within its budget. `reference` may
/// be empty.
std::vector<BudgetLine> check_budgets(std::span<const Budget> budgets, std::span<const Metric> student,
                                      std::span<const Metric> reference);

}  // namespace fusebox
