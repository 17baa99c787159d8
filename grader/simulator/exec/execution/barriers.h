#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// Lanes of `fragment` arrive at the barrier instruction at `index`. True when the fragment must wait;
/// barriers that this completes release all who wait there.
bool arrive_at_barrier(Block& block, Warp& warp, Fragment& fragment, std::uint32_t index, LaneMask lanes);

/// All threads of the block reach a barrier instruction at once: they pass it, and no warp waits. False, and
/// nothing is done, where each warp has to arrive separately.
bool pass_barrier(Block& block, const DecodedInstruction& decoded);

/// Threads left the kernel: barriers that waited for them may be complete now.
void recheck_barriers(Block& block);

/// Tells those who follow runs what each warp has issued.
void notify_issued(Block& block);

/// Nothing in the block can move: says who waits where.
void raise_deadlock(Block& block);

/// "threads 0..15"; linear indices in the block.
std::string describe_threads(const Warp& warp, LaneMask lanes);

}  // namespace fusebox::sim
