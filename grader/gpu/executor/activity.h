#pragma once

#include <string>
#include <vector>

#include "grader/gpu/executor/session.h"

namespace fusebox::gpu {

/// Kernels, copies and memsets as CUPTI saw them run, in the order of their starts.
class Activity {
 public:
  struct Record {
    double begin = 0, end = 0;  ///< seconds, of the GPU's clock
  };

  /// "CUPTI 13.0" when the library is there and works, else "events"; loads it.
  static std::string version();
  static bool available();

  /// Records from here on, until take() is called. The device is idle at both moments.
  static void start();
  static std::vector<Record> take();
};

/// How long each operation of a plan takes on the device, and the gaps between them.
struct OperationTimes {
  std::vector<double> seconds;  ///< of each launch, copy and memset
  std::vector<double> gaps;     ///< between one and the next
};

/// Runs the plan once. With CUPTI the times are those of its records; without, of events between the
/// operations while the queue is held back, which resolve half a microsecond and count the gaps in.
OperationTimes time_operations(ExecutorSession& session, DriverModule& module, const LaunchPlan& plan);

}  // namespace fusebox::gpu
