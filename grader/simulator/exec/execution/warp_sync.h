#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// A *_sync instruction that ends `basic_block`: runs at once when all lanes that its masks name are here,
/// which is nearly always; then, true when the fragment goes on. Else the fragment waits in the warp's list.
bool synchronise(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                 const BasicBlock& basic_block, LaneMask lanes);

/// Runs *_sync instructions for which everyone has come, fragment by fragment of those that wait at the same
/// place. False when there were none.
bool release_syncs(Warp& warp);

}  // namespace fusebox::sim
