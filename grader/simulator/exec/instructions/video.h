#pragma once

#include "grader/simulator/exec/program/step.h"

namespace fusebox::sim {

// Step::extra is the index of the VideoOp.

/// One operation on whole registers, or on a byte or a half of each.
void video_scalar(Warp&, const Step&, LaneMask);
/// The same one on all bytes or all halves.
void video_packed(Warp&, const Step&, LaneMask);

}  // namespace fusebox::sim
