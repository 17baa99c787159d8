#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "grader/report/gpu_numbers.h"

namespace fusebox {

/// What one block takes of an SM.
struct BlockNeeds {
  std::uint64_t threads = 0;
  int registers = 0;  ///< per thread; 0: unknown, and limits nothing
  std::uint64_t shared_bytes = 0;
};

/// One thing that limits how many blocks an SM holds.
struct BlockLimit {
  std::string name;          ///< "blocks", "threads", "registers", "shared memory"
  std::uint64_t blocks = 0;  ///< that it allows; 0 where a block cannot be launched at all
  bool known = true;         ///< false: limits nothing, or the launch does not say what it uses
};

/// The CUDA occupancy rules: registers are handed out to warps in units of 256, to the four schedulers alike;
/// shared memory in units of 128 bytes with the reserved part.
std::array<BlockLimit, 4> block_limits(const GpuNumbers& gpu, const BlockNeeds& block);
/// The one that allows least; of several the first.
const BlockLimit& tightest(const std::array<BlockLimit, 4>& limits);

/// Warps with so many registers a thread whose registers an SM holds; `registers` is above 0.
std::uint64_t warps_by_registers(const GpuNumbers& gpu, int registers);

}  // namespace fusebox
