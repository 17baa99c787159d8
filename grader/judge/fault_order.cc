#include "grader/judge/fault_order.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace fusebox {
namespace {

/// Causes first. Kinds that are not here are wrong addresses of one sort or another, and rank as such.
int rank_of(const Fault& fault) {
  struct Rank {
    std::string_view kind;
    int rank;
  };
  constexpr int kAddress = 6;
  static constexpr std::array kRanks = {
      Rank{"bad-launch", 0},
      Rank{"race-streams", 1},
      // Given to the kernel before it began.
      Rank{"host-address", 2},
      Rank{"null-pointer", 2},
      Rank{"bad-texture", 2},
      Rank{"invalid-call", 2},
      Rank{"bad-mask", 3},
      Rank{"barrier-divergence", 4},
      Rank{"missing-lanes", 5},
      Rank{"bad-mbarrier", 5},
      Rank{"race-shared", 7},
      Rank{"race-global", 8},
      Rank{"uninitialised-read", 9},
      Rank{"endless-loop", 10},
      Rank{"output-limit", 10},
      Rank{"trap", 11},
      Rank{"assert", 11},
  };
  for (const Rank& known : kRanks)
    if (known.kind == fault.kind) return known.rank;
  return kAddress;
}

auto key_of(const FaultSeen& seen) {
  return std::tuple(is_remark(*seen.fault), seen.launch, rank_of(*seen.fault),
                    seen.fault->between == "lanes");
}

bool comes_first(const FaultSeen& a, const FaultSeen& b) { return key_of(a) < key_of(b); }

/// The same access as `root`'s in another case, in which it does not look as if elements had been counted.
const Fault* refutes_elements(const Fault& root, std::span<const FaultSeen> faults) {
  if (!root.counted_in_elements) return nullptr;
  for (const FaultSeen& seen : faults) {
    const Fault& other = *seen.fault;
    const bool same = other.kind == root.kind && other.kernel == root.kernel && other.file == root.file &&
                      other.line == root.line;
    if (same && !other.counted_in_elements) return &other;
  }
  return nullptr;
}

}  // namespace

std::vector<FaultSeen> in_order_of_cause(std::span<const FaultSeen> faults) {
  std::vector<FaultSeen> ordered(faults.begin(), faults.end());
  std::stable_sort(ordered.begin(), ordered.end(), comes_first);
  return ordered;
}

const Fault* root_fault(std::span<const FaultSeen> faults) {
  const auto first = std::min_element(faults.begin(), faults.end(), comes_first);
  if (first == faults.end()) return nullptr;
  const Fault* refuted = refutes_elements(*first->fault, faults);
  return refuted != nullptr ? refuted : first->fault;
}

}  // namespace fusebox
