#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// How a launch ended.
enum class Ending {
  complete,
  stopped,  ///< by a fault after which nothing sensible follows; it is the last in the log
};

struct LaunchLimits {
  /// Calls that cost the simulator more than an instruction count as several: printf, malloc.
  std::uint64_t max_warp_instructions = 400'000'000;
};

/// Tells the observers that a launch begins; each execute... function does.
void begin_launch(Launch& launch);

/// Runs one launch, block after block, and tells the observers. The launch was checked before: its block
/// size, shared memory and argument bytes are within the device's limits.
Ending execute(Launch& launch, const LaunchLimits& limits);

}  // namespace fusebox::sim
