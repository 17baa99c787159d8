#pragma once

#include <vector>

#include "grader/judge/cause/cause.h"
#include "grader/judge/suspect/suspect.h"
#include "grader/report/report.h"

namespace fusebox {

/// The line of the learner's file that a cause is shown with.
void show_line(Cause& cause, const SourceFile& source, int line);

/// Of a wrong answer without any fault. `checks` are all of the entry's.
Findings explain_answer(const Suspect& suspect, const std::vector<Check>& checks);

}  // namespace fusebox
