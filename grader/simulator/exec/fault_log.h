#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/fault.h"
#include "grader/simulator/exec/observer.h"

namespace fusebox::sim {

struct Step;
struct Warp;

/// Collects faults; the same mistake at the same instruction is one fault with a count.
class FaultLog {
 public:
  void add(const RawFault& fault);
  const std::vector<RawFault>& faults() const { return faults_; }
  /// Whose instructions are watched pays for it in `budget` from here on: looking at all that an access may
  /// race with takes longer than the access, and an endless loop of them is to end as soon as any other.
  /// Null: nobody pays.
  void count_against(std::int64_t* budget) { budget_ = budget; }
  /// `work`: in warp instructions.
  void charge(std::int64_t work) {
    if (budget_ != nullptr) *budget_ -= work;
  }

 private:
  std::int64_t* budget_ = nullptr;
  std::vector<RawFault> faults_;
};

/// Records a fault of one lane of `w` at `s`.
void raise_fault(Warp& w, const Step& s, FaultKind kind, int lane, Space space, AccessKind access,
                 std::uint64_t address, std::uint32_t bytes);
/// The same, and the whole launch stops.
void stop_block(Warp& w, const Step& s, LaneMask lanes, FaultKind kind);

}  // namespace fusebox::sim
