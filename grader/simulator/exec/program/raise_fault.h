#pragma once

#include <cstdint>

#include "grader/simulator/exec/simt.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

struct DecodedInstruction;
struct Warp;

/// The access that failed; left as it is for a fault of another sort.
struct FaultyAccess {
  Space space = Space::global;
  AccessKind access = AccessKind::load;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// Records a fault of one lane of `w` at `s`.
void raise_fault(Warp& w, const DecodedInstruction& s, FaultKind kind, int lane, const FaultyAccess& of);
/// The same, and the whole launch stops.
void stop_block(Warp& w, const DecodedInstruction& s, LaneMask lanes, FaultKind kind);

}  // namespace fusebox::sim
