#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/gpu/executor/session.h"

namespace fusebox::gpu {

/// What the hardware counted of each launch of a plan.
struct CountedLaunches {
  std::vector<std::vector<double>>
      values;           ///< of each launch, in the order of the metrics; NaN: not on this GPU
  std::string problem;  ///< why there is nothing: "this machine keeps ... for administrators"
};

/// Counts by CUPTI's range profiler, by the names of Nsight Compute's metrics. What does not fit into one
/// pass is counted by repeating the plan; `before_each` runs before every launch, uncounted (it may empty the
/// caches). The library is loaded when it is first asked for; whatever it refuses is a problem, never the end
/// of the process.
CountedLaunches count_launches(ExecutorSession& session, DriverModule& module, const LaunchPlan& plan,
                               const std::vector<std::string>& metrics,
                               const std::function<void()>& before_each);

}  // namespace fusebox::gpu
