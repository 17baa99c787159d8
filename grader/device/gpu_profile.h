#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// A GPU as data (assets/gpus/NAME.json): what device properties, attributes and occupancy queries answer,
/// and what the model computes with. Sizes in bytes, rates per second.
struct GpuProfile {
  std::string name;  ///< short: "h200"
  std::string full_name;
  int compute_major = 9, compute_minor = 0;
  int sms = 132;
  std::uint64_t l2_bytes = 0;
  std::uint64_t l2_effective_bytes = 0;  ///< what data can count on: an L2 in halves keeps some lines twice
  std::uint64_t global_bytes = 0;
  int shared_bytes_per_sm = 0;
  int max_shared_bytes_per_block = 48 * 1024;  ///< without asking
  int max_shared_bytes_per_block_optin = 0;    ///< with cudaFuncSetAttribute
  int reserved_shared_bytes_per_block = 1024;
  int registers_per_sm = 65536;
  int max_threads_per_sm = 2048, max_threads_per_block = 1024, max_blocks_per_sm = 32;
  int l1_and_shared_bytes_per_sm = 0;  ///< one memory; shared memory takes its part, L1 has the rest
  double clock_hz = 0;
  double dram_bytes_per_second = 0;       ///< the data sheet's
  double dram_copy_bytes_per_second = 0;  ///< achieved by a large copy, read + written
  double l2_bytes_per_second = 0;         ///< between the SMs and L2, read + written
  /// From a load to its first use, when it is found there.
  double shared_latency_cycles = 0, l1_latency_cycles = 0, l2_latency_cycles = 0, dram_latency_cycles = 0;
  double l2_partial_sectors_per_second = 0;  ///< stores of less than a sector, each merged on its own
  double atomic_lanes_per_second = 0;        ///< on distinct addresses, beyond what their sectors cost
  double blocks_per_second = 0;              ///< that the whole GPU starts
  double block_cycles = 0,
         block_cycles_per_warp = 0;  ///< from a block's end to its successor's first instruction
  double barrier_cycles = 0, barrier_cycles_per_warp = 0;  ///< of a warp at a block barrier
  double instruction_cycles = 0;  ///< of one warp's instruction, waits for its inputs included
  double launch_overhead_s = 0;
  std::string text;  ///< of the file that it was read from
};

/// Reads assets/gpus/NAME.json; an unknown name is an error that lists the known ones.
Result<GpuProfile> load_gpu_profile(const std::filesystem::path& assets, const std::string& name);
std::vector<std::string> gpu_profile_names(const std::filesystem::path& assets);

}  // namespace fusebox
