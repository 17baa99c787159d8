#pragma once

#include <array>

#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

/// What lanes bring to a collective and take from it, apart from the registers that one place in a program
/// names for it: lanes that come to the same collective at different places do it together, each with its own
/// registers (PTX ISA, `shfl.sync`: "the same qualifiers and same membermask").
struct CollectiveLanes {
  std::array<std::uint64_t, kWarpSize> value{};                                 ///< operand a
  std::array<std::uint32_t, kWarpSize> offset{}, range{}, members{}, result{};  ///< b, data[0], c and d
  LaneMask yes = 0, result_yes = 0, in_range = 0;  ///< where a, d and e are predicates
};

/// All that the registers of a place hold for these lanes, operands and results.
void read_lanes(Warp&, const DecodedInstruction&, LaneMask lanes, CollectiveLanes& into);
void write_operands(Warp&, const DecodedInstruction&, LaneMask lanes, const CollectiveLanes& from);
void write_results(Warp&, const DecodedInstruction&, LaneMask lanes, const CollectiveLanes& from);

}  // namespace fusebox::sim
