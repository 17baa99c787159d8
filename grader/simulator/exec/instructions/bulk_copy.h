#pragma once

#include <string>

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// What cp.reduce.async.bulk does with elements of a type; null when it has no such form.
BulkReduction bulk_reduction(const std::string& op, Type type);

/// cp.async.bulk and cp.reduce.async.bulk; DecodedInstruction::extra is the index of its BulkCopy.
void bulk_copy(Warp&, const DecodedInstruction&, LaneMask);
/// What waits for groups of them; as use_copies().
void use_bulk_copies(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
