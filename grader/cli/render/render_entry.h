#pragma once

#include <string>

#include "grader/cli/render/style.h"
#include "grader/report/report.h"

namespace fusebox {

/// Lines that why an entry failed takes at least, however little room there is.
inline constexpr std::size_t kMinCauseLines = 5;

/// Why an entry failed: the sentence, what it rests on, a corner of the numbers, what else they show, the
/// line, and the command that repeats it. Of the corner and of what else is shown as much as `lines` leaves
/// room for.
std::string render_cause(const Cause& cause, const Style& style, std::size_t lines);

/// What was checked of an entry, a line for each kind. `verbose`: every check with all that it says.
std::string render_checks(const EntryReport& entry, const Style& style, bool verbose);

/// An entry in one line: beside one that failed there is no room for those that did not.
std::string render_folded(const EntryReport& entry, const Style& style);

/// The same of one that failed for another's reason.
std::string render_same(const EntryReport& entry, const EntryReport& as, const Style& style);

}  // namespace fusebox
