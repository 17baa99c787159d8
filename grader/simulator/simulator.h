#pragma once

#include <memory>

#include "grader/device/device.h"
#include "grader/device/gpu_profile.h"

namespace fusebox::sim {

/// Executes plans by interpreting their PTX. Device code cannot leave the memory that the simulator reserved.
/// The same plan gives the same bytes, counters and faults, always.
class Simulator : public Device {
 public:
  /// `cores`: threads that a launch may use; 0: as many as this process may run at once.
  explicit Simulator(GpuProfile gpu, unsigned cores = 0);
  ~Simulator() override;

  AddressRange address_range() const override;
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fusebox::sim
