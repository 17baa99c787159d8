#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// Collects faults; the same mistake at the same instruction is one fault with a count.
class FaultLog {
 public:
  void add(const RawFault& fault);
  const std::vector<RawFault>& faults() const { return faults_; }
  /// From here on the cost of race detection is taken from `budget` too: checking an access against all that
  /// it may race with takes longer than the access, and an endless loop of them must end as soon as any
  /// other. Null: it is not counted.
  void count_against(std::int64_t* budget) { budget_ = budget; }
  /// `work`: in warp instructions.
  void charge(std::int64_t work) {
    if (budget_ != nullptr) *budget_ -= work;
  }

 private:
  std::int64_t* budget_ = nullptr;
  std::vector<RawFault> faults_;
};

}  // namespace fusebox::sim
