#pragma once

#include <optional>
#include <string>

#include "grader/judge/workshop/workbook.h"

/// What the files that hold the workbook's rules share.
namespace fusebox {

/// A rule by its name, and what is the case where it is broken.
Check rule(std::string name, bool kept, std::string otherwise);

/// Grades every check of `entries` (empty: all) of a text put in the puzzle file's place. `error` is the
/// machine's failure, if there was one.
Report grade_text(const Puzzle& puzzle, const Workbook& workbook, const Services& services,
                  const std::string& text, std::vector<std::string> entries, bool with_reference,
                  std::optional<Error>& error);

}  // namespace fusebox
