#pragma once

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::ptx {
struct Instruction;
}

namespace fusebox::sim {

// Instructions in which lanes see each other. Each answers null for a form that it does not know.

Handler shuffle_handler(const ptx::Instruction&);
/// Lanes whose values those of `mask` take in a shuffle; of anything else none.
LaneMask lanes_taken_from(Warp&, const DecodedInstruction&, LaneMask mask);
Handler vote_handler(const ptx::Instruction&);
Handler match_handler(const ptx::Instruction&);
Handler reduce_handler(const ptx::Instruction&);
void elect(Warp&, const DecodedInstruction&, LaneMask);
void active_mask(Warp&, const DecodedInstruction&, LaneMask);

// The few that only move lanes about.

void pack_lanes(Warp&, const DecodedInstruction&, LaneMask);
void unpack_lanes(Warp&, const DecodedInstruction&, LaneMask);
void copy_128(Warp&, const DecodedInstruction&, LaneMask);
void do_nothing(Warp&, const DecodedInstruction&, LaneMask);
void is_space(Warp&, const DecodedInstruction&, LaneMask);
void read_clock(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
