#pragma once

#include <cstdint>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

/// What a mbarrier instruction does, in DecodedInstruction::extra. Operands: a address, b count or bytes, c
/// state, d result.
enum class MbarrierOp : std::uint32_t {
  init,  ///< b: arrivals per phase
  inval,
  arrive,       ///< b: how many at once; flag: without completing the phase
  arrive_drop,  ///< the same, and those never come again
  expect_tx,    ///< b: bytes
  arrive_expect_tx,
  arrive_drop_expect_tx,
  complete_tx,
  async_arrive,        ///< cp.async.mbarrier.arrive: comes by itself and leaves the count as it was
  async_arrive_noinc,  ///< the same, as one of those that are counted on
};
void mbarrier(Warp&, const DecodedInstruction&, LaneMask);
/// mbarrier.pending_count: arrivals that a state (b) was still short of.
void mbarrier_pending(Warp&, const DecodedInstruction&, LaneMask);

/// Lanes whose phase is complete; flag: c is the phase's parity, else the state that an arrival returned. A
/// lane whose address holds no mbarrier is a fault, and stops the block: it would wait for ever.
LaneMask mbarrier_ready(Warp&, const DecodedInstruction&, LaneMask);
/// Tells the observers of lanes that have seen their phase complete.
void notify_waited(Warp&, const DecodedInstruction&, LaneMask);

/// `bytes` of an asynchronous copy of lane `lane` have come, and are booked at the mbarrier at `place`.
void complete_bytes(Warp&, const DecodedInstruction&, int lane, const Place& place, std::uint32_t bytes);

}  // namespace fusebox::sim
