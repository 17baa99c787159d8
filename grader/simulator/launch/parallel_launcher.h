#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "grader/simulator/exec/execution/speculative_launch.h"
#include "grader/simulator/exec/memory/undo_log.h"
#include "grader/simulator/observe/modelled/cache_log.h"
#include "grader/simulator/observe/modelled/caches.h"
#include "grader/simulator/observe/races/races.h"
#include "grader/simulator/observe/races/unfenced_writes.h"
#include "grader/simulator/observe/traffic/samples.h"
#include "grader/simulator/observe/traffic/traffic.h"

namespace fusebox::sim {

/// What a launch is counted in.
struct LaunchObservers {
  Traffic& traffic;
  Caches* caches = nullptr;    ///< null: the launch is not modelled
  Samples* samples = nullptr;  ///< null: no sample accesses are kept
};

/// Carries launches out on several threads where that cannot be told from carrying them out on one.
class ParallelLauncher {
 public:
  /// `cores` at least 1.
  ParallelLauncher(GlobalMemory& memory, unsigned cores);
  ~ParallelLauncher();

  /// Runs `launch` and enters what it did into `observers`, which are ready for it.
  /// False when it has to be run in order after all (too small, blocks that talk to each other, a fault):
  /// then memory and the observers are as they were. `races`: look for races too. `undo_log`: false when
  /// memory may change all the same.
  bool run(Launch& launch, const LaunchLimits& limits, const std::vector<NamedRange>& ranges,
           const LaunchObservers& observers, bool races, bool undo_log);

  /// What is known of kernels: their modules are about to go, and others may come to lie at their addresses.
  void forget_code();

 private:
  struct Share;  ///< one thread's observers
  bool is_worth_it(const Launch& launch, bool modelled);
  void prepare(const Launch& launch, const std::vector<NamedRange>& ranges, const LaunchObservers& observers,
               bool races, bool undo_log);
  bool share_out(const Launch& launch, const LaunchLimits& limits, Caches* caches);
  /// Whether one thread's blocks wrote what another's touched.
  bool threads_met(const Launch& launch) const;

  GlobalMemory& memory_;
  unsigned cores_;
  UndoLog undo_log_;
  std::optional<Caches::Left> before_;
  std::vector<std::unique_ptr<Share>> shares_;
  std::vector<Worker> workers_;
  std::set<const Program*> independent_, ordered_;  ///< known kernels
};

}  // namespace fusebox::sim
