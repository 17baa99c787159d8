#pragma once

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// The barrier of a cluster, and accesses to the shared memory of its blocks.

void cluster_arrive(Warp&, const DecodedInstruction&, LaneMask);
/// Lanes that need not wait (any longer) at barrier.cluster.wait.
LaneMask cluster_ready(Warp&, const DecodedInstruction&, LaneMask);
/// Threads of the block left: the barrier may be complete without them.
void recheck_cluster(Block& block);

/// Tells the observers of accesses to shared memory of other blocks; `block[lane]`: whose.
void notify_remote_access(Warp&, const DecodedInstruction&, const LanesAccess&, Block* const* block);

void map_address(Warp&, const DecodedInstruction&, LaneMask);
void rank_of_address(Warp&, const DecodedInstruction&, LaneMask);
/// ld and st whose addresses may lie in another block; lanes whose do not go to
/// Program::plain_handlers[target].
void cluster_load(Warp&, const DecodedInstruction&, LaneMask);
void cluster_store(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
