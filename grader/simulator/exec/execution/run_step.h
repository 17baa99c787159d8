#pragma once

#include "grader/simulator/exec/program/step.h"
#include "grader/simulator/exec/state/warp.h"

namespace fusebox::sim {

/// Those of `lanes` for which the step's guard holds.
inline LaneMask guarded(Warp& warp, const Step& step, LaneMask lanes) {
  if (step.guard == kNoOperand) return lanes;
  const LaneMask guard = warp.predicate(step.guard);
  return lanes & (step.guard_negated ? ~guard : guard);
}

inline void run_step(Warp& warp, const Step& step, LaneMask lanes) {
  if (const LaneMask active = guarded(warp, step, lanes)) step.run(warp, step, active);
}

}  // namespace fusebox::sim
