#pragma once

#include <array>
#include <string>
#include <vector>

#include "grader/report/occupancy.h"
#include "viewer/model/book/book.h"

namespace fusebox::view {

struct OccupancyRow {
  std::string run, kernel;  ///< "fused · you"
  std::size_t launch = 0;   ///< of the run: the first one like this
  std::uint64_t threads = 0;
  std::optional<int> registers;
  std::uint64_t shared_bytes = 0;
  std::array<BlockLimit, 4> limits;
  Occupancy occupancy;
  std::uint64_t blocks = 0;                               ///< of the grid
  std::uint64_t sms = 0;                                  ///< that have a block at all
  std::uint64_t resident_blocks = 0, resident_warps = 0;  ///< on the SM that has most: what is really there
  double resident = 0;                                    ///< those warps, of what an SM can hold: 0..1
  double waves = 0;  ///< how often the GPU is filled: blocks of the grid / blocks that it holds
};

/// What an SM of `gpu` holds of a launch.
OccupancyRow occupancy_of(const GpuNumbers& gpu, const LaunchRecord& launch);

/// Every distinct launch of every run.
std::vector<OccupancyRow> occupancy_model(const Book& book, const GpuNumbers& gpu);
std::string to_text(const std::vector<OccupancyRow>& rows);

}  // namespace fusebox::view
