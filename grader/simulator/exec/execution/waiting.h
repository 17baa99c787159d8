#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// Instructions that wait for something to come about and not for certain threads: mbarrier.try_wait and
// test_wait, and barrier.cluster.wait. A warp that would have to ask again is not run until the answer is
// another, which is one of the orders that the program must allow, and keeps waiting out of the counters.

/// Lanes of `fragment` come to a wait. True when the fragment goes on at `next`.
bool come_to_wait(Block& block, Warp& warp, Fragment& fragment, std::uint32_t index, LaneMask lanes,
                  std::uint32_t next);
/// Lets go on who need not wait any longer. False when there were none.
bool poll_waits(Warp& warp);
/// Nothing in the block can move: polls of mbarriers fail, with the answer "not yet". False when there
/// is none, or when that has happened so often that nobody will ever come.
bool fail_polls(Block& block);

}  // namespace fusebox::sim
