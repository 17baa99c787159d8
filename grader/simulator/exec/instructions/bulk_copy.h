#pragma once

#include <string>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/step.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// What cp.reduce.async.bulk does with elements of a type; null when it has no such form.
BulkReduction bulk_reduction(const std::string& op, Type type);

/// cp.async.bulk and cp.reduce.async.bulk; Step::extra is the index of its BulkCopy.
void bulk_copy(Warp&, const Step&, LaneMask);

}  // namespace fusebox::sim
