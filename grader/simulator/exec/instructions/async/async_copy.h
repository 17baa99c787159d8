#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

/// cp.async. a: shared address, width address_width, offset immediate. b: global address, 8 wide, offset
/// extra (signed). c: how many of `bytes` are read, the rest is zero. e: a predicate that makes all of them
/// zero.
void copy_async(Warp&, const DecodedInstruction&, LaneMask);
/// What waits for it. DecodedInstruction::extra: the CopyUse, immediate: how many groups may be left.
void use_copies(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
