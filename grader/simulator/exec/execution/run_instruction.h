#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/warp.h"

namespace fusebox::sim {

/// Those of `lanes` for which the instruction's guard holds.
inline LaneMask guarded(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes) {
  if (decoded.guard == kNoOperand) return lanes;
  const LaneMask guard = warp.predicate(decoded.guard);
  return lanes & (decoded.guard_negated ? ~guard : guard);
}

inline void run_instruction(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes) {
  if (const LaneMask active = guarded(warp, decoded, lanes)) decoded.run(warp, decoded, active);
}

}  // namespace fusebox::sim
