#include "grader/simulator/exec/program/raise_fault.h"

#include <bit>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

void raise_fault(Warp& w, const DecodedInstruction& s, FaultKind kind, int lane, const FaultyAccess& of) {
  RawFault fault;
  fault.kind = kind;
  fault.space = of.space;
  fault.access = of.access;
  fault.bytes = static_cast<std::uint8_t>(of.bytes);
  fault.address = of.address;
  fault.instruction = s.instruction;
  fault.function = w.frame->program->function;
  fault.block = w.id.block;
  fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  w.block->launch->faults->add(fault);
}

void stop_block(Warp& w, const DecodedInstruction& s, LaneMask lanes, FaultKind kind) {
  raise_fault(w, s, kind, std::countr_zero(lanes), {});
  w.block->stopped = true;
}

}  // namespace fusebox::sim
