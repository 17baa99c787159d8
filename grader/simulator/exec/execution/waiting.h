#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// Instructions that wait for a condition and not for certain threads: mbarrier.try_wait and test_wait,
// barrier.cluster.wait and wgmma.wait_group. A warp whose poll would fail is not scheduled until it would
// succeed: the program must allow that order, and polling stays out of the counters.

/// Lanes of `fragment` come to a wait. True when the fragment goes on at `next`.
bool come_to_wait(Block& block, Warp& warp, Fragment& fragment, std::uint32_t index, LaneMask lanes,
                  std::uint32_t next);
/// Resumes the fragments whose condition holds. False when there were none.
bool poll_waits(Warp& warp);
/// No warp of the block can make progress: polls of mbarriers return false. False when none is polled, or
/// when so many have failed that the block hangs.
bool fail_polls(Block& block);

}  // namespace fusebox::sim
