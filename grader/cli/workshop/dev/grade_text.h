#pragma once

#include <cstdint>

#include "grader/cli/verbs/verbs.h"
#include "grader/judge/cases/services.h"
#include "grader/judge/grading.h"

namespace fusebox {

/// With which answers are graded unless another is asked for: what is written down of them holds for this
/// one.
inline constexpr std::uint64_t kSeedOfAnswers = 1;

/// Everything that `grade` asks of a file but its full size: all cases and budgets of the entries that are
/// asked for, with the puzzle's known mistakes. An error is the machine's.
Result<Report> grade_text(const WorkspacePaths& paths, const Puzzle& puzzle, const Services& services,
                          GradingOptions options);

}  // namespace fusebox
