#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/report/report.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// Adds to a report what the viewer shows beside the numbers: both files' text, lesson, hints, the GPUs of
/// assets/ with `gpu` first. What cannot be read is left out.
void attach(Report& report, const Puzzle& puzzle, const WorkspacePaths& paths, const std::string& gpu);

/// The newest attempt at a puzzle that was kept, as far as it can be read.
std::optional<Report> last_attempt(const WorkspacePaths& paths, const std::string& puzzle);

/// Keeps the report as the newest attempt at its puzzle, in
/// build/reports/<puzzle>/<milliseconds>-<verdict>.json, and drops the oldest beyond a hundred. Gives the
/// file; says why where nothing can be written.
Result<std::filesystem::path> keep_attempt(const WorkspacePaths& paths, const Report& report);

}  // namespace fusebox
