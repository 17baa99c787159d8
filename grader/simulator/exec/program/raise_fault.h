#pragma once

#include <cstdint>

#include "grader/simulator/exec/simt.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

struct DecodedInstruction;
struct Warp;

/// Records a fault of one lane of `w` at `s`.
void raise_fault(Warp& w, const DecodedInstruction& s, FaultKind kind, int lane, Space space,
                 AccessKind access, std::uint64_t address, std::uint32_t bytes);
/// The same, and the whole launch stops.
void stop_block(Warp& w, const DecodedInstruction& s, LaneMask lanes, FaultKind kind);

}  // namespace fusebox::sim
