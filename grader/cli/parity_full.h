#pragma once

#include "grader/cli/house.h"
#include "grader/cli/options.h"

namespace fusebox {

/// `dev parity --full`: every recorded row of the puzzles' sizes beside what the model says of it.
int dev_parity_full(const House& house, const Options& options);

}  // namespace fusebox
