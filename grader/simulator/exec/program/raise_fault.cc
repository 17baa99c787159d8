#include "grader/simulator/exec/program/raise_fault.h"

#include <bit>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

void raise_fault(Warp& w, const DecodedInstruction& s, FaultKind kind, int lane, Space space,
                 AccessKind access, std::uint64_t address, std::uint32_t bytes) {
  RawFault fault;
  fault.kind = kind;
  fault.space = space;
  fault.access = access;
  fault.bytes = static_cast<std::uint8_t>(bytes);
  fault.address = address;
  fault.instruction = s.instruction;
  fault.function = w.frame->program->function;
  fault.block = w.id.block;
  fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  w.block->launch->faults->add(fault);
}

void stop_block(Warp& w, const DecodedInstruction& s, LaneMask lanes, FaultKind kind) {
  raise_fault(w, s, kind, std::countr_zero(lanes), Space::global, AccessKind::load, 0, 0);
  w.block->stopped = true;
}

}  // namespace fusebox::sim
