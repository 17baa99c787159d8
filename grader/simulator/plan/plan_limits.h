#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "grader/device/device.h"

namespace fusebox::sim {

/// Sets a flag after so many seconds, unless it goes away before.
class Alarm {
 public:
  /// 0: never.
  explicit Alarm(double seconds);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  const std::atomic<bool>& rang() const { return rang_; }

 private:
  std::atomic<bool> rang_ = false;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

/// Keeps count of what a plan costs, operation by operation, and says when that is too much.
class PlanMeter {
 public:
  explicit PlanMeter(const PlanLimits& limits);

  /// Nothing has been done yet; the clock goes on.
  void restart() { work_ = bytes_ = 0, operations_ = launches_ = allocations_ = 0; }
  /// Before an operation: the fault that ends the plan there, if one does.
  std::optional<Fault> begin(const PlanOp& op);
  /// Of a launch that may have `most`: no more than is left.
  std::uint64_t max_for_a_launch(std::uint64_t most) const;
  const std::atomic<bool>* out_of_time() const { return &alarm_.rang(); }
  /// Behind a launch. One that was stopped by the plan's limit, and not by its own of `most`, is no endless
  /// loop: its fault says so then. One that the clock stopped gets a fault of the plan.
  void launched(std::uint64_t work, bool complete, std::uint64_t most, LaunchRecord& record,
                std::vector<Fault>& plan_faults);

 private:
  bool limited() const { return limits_.work != 0; }
  Fault out_of_work() const;
  Fault timed_out() const;
  std::optional<Fault> out_of_memory(std::uint64_t bytes);

  PlanLimits limits_;
  std::uint64_t work_ = 0, bytes_ = 0;
  std::size_t operations_ = 0, launches_ = 0, allocations_ = 0;
  Alarm alarm_;
};

}  // namespace fusebox::sim
