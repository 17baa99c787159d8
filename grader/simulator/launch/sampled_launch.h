#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/simulator/observe/modelled/caches.h"
#include "grader/simulator/observe/traffic/traffic.h"

namespace fusebox::sim {

/// What all blocks of a launch did, worked out from some of them.
struct SampledLaunch {
  LaunchRecord numbers;  ///< counters, tensors and lines; exact
  CacheTraffic traffic;  ///< modelled
  std::uint64_t blocks_run = 0;
};

/// Carries blocks [first, first + count) of the launch out and counts them; `caches` may be null. False:
/// something stopped them.
using RunBlocks =
    std::function<bool(std::uint64_t first, std::uint64_t count, Traffic& traffic, Caches* caches)>;

/// Runs 1/share of a launch's blocks: the first ones through `caches`, which model 1/share of the GPU; as
/// many groups elsewhere as show that all groups of blocks count the same; and the last ones, which may be
/// different. Nothing when the groups differ in any counter, when a buffer is neither shared by all groups
/// nor divided among them, or when the grid is too small: then all of it has to be run.
std::optional<SampledLaunch> run_sampled(const LaunchInfo& info, unsigned share, const ptx::Module& module,
                                         const std::vector<NamedRange>& ranges, Caches& caches,
                                         const RunBlocks& run);

}  // namespace fusebox::sim
