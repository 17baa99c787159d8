#pragma once

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace fusebox {

/// Why a run costs more than a budget allows, told by where the excess is: which tensor, which line, sectors
/// against ideal, how many passes.
struct CostCause {
  std::string sentence;
  std::vector<std::string> details;
  int line = 0;  ///< of the learner's file; 0: none
};

/// `line` is the budget that is exceeded, `student` the run that exceeded it, `reference` the one that does
/// not; null: unknown.
CostCause explain_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference);

}  // namespace fusebox
