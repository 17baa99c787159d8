#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/gpu_numbers.h"
#include "grader/report/result.h"

namespace fusebox {

/// A GPU as data (assets/gpus/NAME.json): what device properties, attributes and occupancy queries answer,
/// and what the model computes with beyond what reports hold of it. Sizes in bytes, rates per second.
struct GpuProfile : GpuNumbers {
  std::uint64_t l2_bytes = 0;
  std::uint64_t l2_effective_bytes = 0;  ///< what data can count on: an L2 in halves keeps some lines twice
  std::uint64_t global_bytes = 0;
  int max_shared_bytes_per_block = 48 * 1024;  ///< without asking
  int fp64_lanes_per_sm = 0;                   ///< that add or multiply in one cycle
  int l1_and_shared_bytes_per_sm = 0;          ///< one memory; shared memory takes its part, L1 has the rest
  /// From a load to its first use, when it is found there.
  double shared_latency_cycles = 0, l1_latency_cycles = 0, l2_latency_cycles = 0, dram_latency_cycles = 0;
  double l2_partial_sectors_per_second = 0;  ///< stores of less than a sector, each merged on its own
  unsigned l2_slices = 0;
  double atomic_turns_per_second = 0;  ///< of one slice, each changes a whole sector
  double blocks_per_second = 0;        ///< that the whole GPU starts
  double block_cycles = 0,
         block_cycles_per_warp = 0;  ///< from a block's end to its successor's first instruction
  double barrier_cycles = 0, barrier_cycles_per_warp = 0;  ///< of a warp at a block barrier
  double instruction_cycles = 0;  ///< of one warp's instruction, waits for its inputs included
  std::string text;               ///< of the file that it was read from
};

/// Reads assets/gpus/NAME.json; an unknown name is an error that lists the known ones.
Result<GpuProfile> load_gpu_profile(const std::filesystem::path& assets, const std::string& name);
std::vector<std::string> gpu_profile_names(const std::filesystem::path& assets);

}  // namespace fusebox
