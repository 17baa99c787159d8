#pragma once

#include <cstdint>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// SM cycles that one wgmma of a whole warpgroup takes. An H200 had 18, 32, 64 and 128 of the tensor cores
/// with n = 8, 64, 128 and 256, whatever the types and wherever A lies; and as many wavefronts of shared
/// memory as there are 128 bytes in B, and in A where it lies there.
struct WgmmaCost {
  std::uint64_t tensor_cycles = 0, shared_cycles = 0;
};

/// Zeros for any other instruction.
WgmmaCost wgmma_cost(const ptx::Instruction& instruction);

}  // namespace fusebox::sim
