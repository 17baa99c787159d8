#pragma once

#include "grader/simulator/exec/program/step.h"

namespace fusebox::sim {

// Handlers; Step::extra is the index of the TextureOp.

void texture_fetch(Warp&, const Step&, LaneMask);
void surface_load(Warp&, const Step&, LaneMask);
void surface_store(Warp&, const Step&, LaneMask);

}  // namespace fusebox::sim
