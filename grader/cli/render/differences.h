#pragma once

#include <string>

#include "grader/report/report.h"

namespace fusebox {

/// Counters of a report in which the learner's kernels differ from the reference's, entry by entry, in
/// columns; a sentence when there are none or nothing can be compared.
std::string render_differences(const Report& report);

}  // namespace fusebox
