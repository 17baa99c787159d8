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

 private:
  std::vector<RawFault> faults_;
};

/// Records a fault of one lane of `w` at `s`.
void raise_fault(Warp& w, const Step& s, FaultKind kind, int lane, Space space, AccessKind access,
                 std::uint64_t address, std::uint32_t bytes);
/// The same, and the whole launch stops.
void stop_block(Warp& w, const Step& s, LaneMask lanes, FaultKind kind);

}  // namespace fusebox::sim
