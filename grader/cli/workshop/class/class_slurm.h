#pragma once

#include "grader/classroom/batch.h"
#include "grader/cli/verbs/options.h"

namespace fusebox {

/// `class --slurm`: writes OUT/slurm, and submits it or prints the command; the exit code.
Result<int> hand_to_slurm(classroom::BatchSettings settings, const Options& options);

}  // namespace fusebox
