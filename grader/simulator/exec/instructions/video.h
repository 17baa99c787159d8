#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

// DecodedInstruction::extra is the index of the VideoOp.

/// One operation on whole registers, or on a byte or a half of each.
void video_scalar(Warp&, const DecodedInstruction&, LaneMask);
/// The same one on all bytes or all halves.
void video_packed(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
