#pragma once

#include <string>

#include "grader/report/report.h"

namespace fusebox {

/// One sentence on what changed from one report of a puzzle to the next: checks that pass now or no longer
/// do, else what was counted ("fused: sectors of `weight` 2.1 M → 289 k, line 117"), else that nothing did
/// but the text. Only of entries that are in both. Empty where the two have none in common or are of
/// different puzzles or devices.
std::string what_changed(const Report& before, const Report& now);

}  // namespace fusebox
