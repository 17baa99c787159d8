#pragma once

#include <filesystem>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/cli/house.h"
#include "grader/report/report.h"

namespace fusebox {

/// Adds to a report what the viewer shows beside the numbers: both files' text, lesson, hints, the GPUs of
/// assets/ with `gpu` first. What cannot be read is left out.
void attach(Report& report, const Puzzle& puzzle, const House& house, const std::string& gpu);

/// Keeps the report as the newest attempt at its puzzle, in
/// build/reports/<puzzle>/<milliseconds>-<verdict>.json, and drops the oldest beyond a hundred. Where nothing
/// can be written nothing is kept: not worth failing a grade over. Where it is then; empty: nowhere.
std::filesystem::path keep_attempt(const House& house, const Report& report);

}  // namespace fusebox
