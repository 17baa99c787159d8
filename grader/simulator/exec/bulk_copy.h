#pragma once

#include "grader/simulator/exec/block.h"
#include "grader/simulator/exec/step.h"

namespace fusebox::sim {

/// cp.async.bulk; Step::extra is the index of its BulkCopy.
void bulk_copy(Warp&, const Step&, LaneMask);

}  // namespace fusebox::sim
