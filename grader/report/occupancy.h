#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fusebox {

/// A GPU in numbers (assets/gpus): what the model reckons with, and all that a reader of reports needs to do
/// it again. Sizes in bytes, rates per second.
struct GpuNumbers {
  std::string name;  ///< short: "h200"
  std::string full_name;
  int compute_major = 9, compute_minor = 0;
  int sms = 132;
  int shared_bytes_per_sm = 0;
  int max_shared_bytes_per_block_optin = 48 * 1024;  ///< of static and dynamic, with cudaFuncSetAttribute
  int reserved_shared_bytes_per_block = 1024;
  int registers_per_sm = 65536;
  int max_threads_per_sm = 2048, max_threads_per_block = 1024, max_blocks_per_sm = 32;
  double clock_hz = 0;
  double dram_bytes_per_second = 0;       ///< the data sheet's
  double dram_copy_bytes_per_second = 0;  ///< achieved by a large copy, read + written
  double l2_bytes_per_second = 0;         ///< between the SMs and L2, read + written
  double launch_overhead_s = 0;
};

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
