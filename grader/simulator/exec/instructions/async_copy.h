#pragma once

#include "grader/simulator/exec/program/step.h"

namespace fusebox::sim {

/// cp.async. a: shared address, width address_width, offset immediate. b: global address, 8 wide, offset
/// extra (signed). c: how many of `bytes` are read, the rest is zero. e: a predicate that makes all of them
/// zero.
void copy_async(Warp&, const Step&, LaneMask);
/// What waits for it. Step::extra: the CopyUse, immediate: how many groups may be left.
void use_copies(Warp&, const Step&, LaneMask);

}  // namespace fusebox::sim
