#pragma once

#include <vector>

#include "grader/judge/cause/cause.h"
#include "grader/judge/cause/suspect.h"
#include "grader/report/report.h"

namespace fusebox {

/// Of a wrong answer without any fault. `checks` are all of the entry's.
Findings explain_answer(const Suspect& suspect, const std::vector<Check>& checks);

}  // namespace fusebox
