#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// What the assembler makes of one of several loads of shared memory that it joins.
struct JoinedLoad {
  std::uint8_t bytes = 0;   ///< a lane, of the one load that stands for all; 0: another one brings this value
  std::uint8_t before = 0;  ///< bytes by which that load begins before the address of this one
  bool operator==(const JoinedLoad&) const = default;
};

/// By instruction, the loads of a function that the assembler joins: of a straight run without stores to
/// shared memory between them, at offsets to one register (or variable) whose alignment can be proven, so
/// many in the same aligned 16 bytes that they fill more than half of them; else in the same 8, or 4.
/// Guarded, volatile, one-byte and vector loads stay as they are. `shared`: the module's variables; static
/// ones of 16 bytes and more lie at multiples of 16. As ptxas 13.0 does for sm_90: of the 122 kernels of this
/// workbook that load from shared memory 116 have the widths of the LDS instructions in their cubins; four
/// differ by what it unrolls, two have six loads more.
std::map<std::uint32_t, JoinedLoad> joined_loads(const ptx::Function& function,
                                                 std::span<const ptx::Variable> shared);

}  // namespace fusebox::sim
