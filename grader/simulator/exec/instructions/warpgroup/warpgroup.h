#pragma once

#include <string>

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// Instructions of a warpgroup. Its warps execute them one after the other: each computes its own rows when it
// comes to a wgmma.mma_async, which is one of the moments at which the hardware may, and all meet where they
// wait. What hardware would do with registers and memory in between is checked, not simulated.

/// DecodedInstruction::extra is the index of the WarpgroupOp.
void warpgroup_multiply(Warp&, const DecodedInstruction&, LaneMask);
void warpgroup_fence(Warp&, const DecodedInstruction&, LaneMask);
void warpgroup_commit(Warp&, const DecodedInstruction&, LaneMask);
/// wgmma.wait_group: its lanes, once all four warps have come; immediate: groups that need not be complete.
LaneMask warpgroup_ready(Warp&, const DecodedInstruction&, LaneMask);

/// An instruction that may touch registers of a wgmma that has not been waited for, as Program::watched says.
void watched_instruction(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
