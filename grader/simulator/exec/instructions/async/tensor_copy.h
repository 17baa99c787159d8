#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor; DecodedInstruction::extra is the index of its
/// BulkCopy.
void tensor_copy(Warp&, const DecodedInstruction&, LaneMask);
/// cp.async.bulk.prefetch.tensor: looks at the map, and does nothing else.
void tensor_prefetch(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
