#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

// Handlers; DecodedInstruction::extra is the index of the TextureOp.

void texture_fetch(Warp&, const DecodedInstruction&, LaneMask);
void surface_load(Warp&, const DecodedInstruction&, LaneMask);
void surface_store(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
