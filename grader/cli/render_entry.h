#pragma once

#include <string>

#include "grader/cli/style.h"
#include "grader/report/report.h"

namespace fusebox {

/// Columns of what a verdict prints.
inline constexpr std::size_t kVerdictWidth = 80;

/// One entry of a report: why it failed (the cause with its evidence, a corner of the numbers, the line, the
/// command that repeats it), then what was checked, a line for each kind. `verbose`: every check with all
/// that it says.
std::string render_entry(const EntryReport& entry, const Style& style, bool verbose);

}  // namespace fusebox
