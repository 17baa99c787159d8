#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// Calls and returns of device functions that were not inlined.

/// `lanes` of the fragment call; the others stay behind at basic block `next`, where all meet again. True
/// when the fragment goes on (inside the callee); false when what goes on is in the warp's list, or nothing
/// does.
bool enter_function(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded, LaneMask lanes,
                    std::uint32_t next);

/// `lanes` of the fragment return to their caller; the others go on at `next`. True when the fragment goes
/// on.
bool leave_function(Warp& warp, Fragment& fragment, LaneMask lanes, std::uint32_t next);

}  // namespace fusebox::sim
