#pragma once

#include "grader/cli/verbs/options.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// `dev parity --full`: every recorded row of the puzzles' sizes beside what the model says of it;
/// of `options.puzzle` alone, where one is named.
int dev_parity_full(const WorkspacePaths& paths, const Options& options);

}  // namespace fusebox
