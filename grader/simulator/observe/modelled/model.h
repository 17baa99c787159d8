#pragma once

#include "grader/device/gpu_profile.h"
#include "grader/report/launch_record.h"
#include "grader/simulator/observe/modelled/caches.h"

namespace fusebox::sim {

/// Duration of a launch on a GPU: the launch overhead, and what each part of the machine needs for its share,
/// beside one another: DRAM, L2, load-store wavefronts, issue slots, special functions, fp64, and the latency
/// that the resident warps cannot hide; behind them what the first and the last blocks cannot do beside
/// others. A model: it says which term won, and is labelled with its GPU wherever it is shown.
LaunchModel model_launch(const GpuProfile& gpu, const LaunchRecord& launch, const CacheTraffic& traffic);

/// The same of a copy or a memset: no block runs, and DRAM or L2 decides.
LaunchModel model_copy(const GpuProfile& gpu, const CacheTraffic& traffic);

}  // namespace fusebox::sim
