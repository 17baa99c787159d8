#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

// What tells threads' accesses to memory apart in time: the semantics and scopes that instructions name,
// fences and meetings of lanes. Nothing here changes what a program computes; observers listen.

/// Of a load, store, atomic or fence. An atomic without semantics is relaxed, a fence without is both.
Order order_of(const ptx::Instruction& instruction);
/// Atomics, volatile accesses and fences that name no scope have the one that PTX gives them.
Scope scope_of(const ptx::Instruction& instruction);

/// The handler of fence and membar.
void notify_fence(Warp&, const DecodedInstruction&, LaneMask);
void notify_proxy_fence(Warp&, const DecodedInstruction&, LaneMask);

/// `lanes` have met at a *_sync instruction; `members` are the masks that each of them gave. Lanes with
/// different masks met in different groups.
void notify_warp_sync(const Warp& warp, const std::uint32_t* members, LaneMask lanes);

}  // namespace fusebox::sim
