#pragma once

#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/cli/house.h"
#include "grader/report/report.h"

namespace fusebox {

/// Adds to a report what the viewer shows beside the numbers: both files' text, lesson, hints, the GPUs of
/// assets/ with `gpu` first. What cannot be read is left out.
void attach(Report& report, const Puzzle& puzzle, const House& house, const std::string& gpu);

/// Keeps the report as the newest attempt at its puzzle, in
/// build/reports/<puzzle>/<milliseconds>-<verdict>.json, and drops the oldest beyond a hundred. Says why
/// where nothing can be written.
std::optional<Error> keep_attempt(const House& house, const Report& report);

}  // namespace fusebox
