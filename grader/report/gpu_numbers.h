#pragma once

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
  double l2_bytes_per_second = 0;         ///< that L2 moves, to and from SMs and DRAM
  double launch_overhead_s = 0;
};

}  // namespace fusebox
