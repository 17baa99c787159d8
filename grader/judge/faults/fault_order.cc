#include "grader/judge/faults/fault_order.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

/// Causes first. Kinds that are not here are wrong addresses of one sort or another, and rank as such.
int rank_of(const Fault& fault) {
  struct Rank {
    FaultKey key;
    int rank;
  };
  constexpr int kAddress = 6;
  static constexpr std::array kRanks = {
      Rank{FaultKey::bad_launch, 0},
      Rank{FaultKey::race_streams, 1},
      // Given to the kernel before it began.
      Rank{FaultKey::host_address, 2},
      Rank{FaultKey::null_pointer, 2},
      Rank{FaultKey::bad_texture, 2},
      Rank{FaultKey::bad_tensor_map, 2},
      Rank{FaultKey::invalid_call, 2},
      Rank{FaultKey::bad_mask, 3},
      Rank{FaultKey::barrier_divergence, 4},
      Rank{FaultKey::missing_lanes, 5},
      Rank{FaultKey::bad_mbarrier, 5},
      Rank{FaultKey::bad_wgmma, 5},
      Rank{FaultKey::race_shared, 7},
      Rank{FaultKey::race_global, 8},
      Rank{FaultKey::uninitialised_read, 9},
      Rank{FaultKey::endless_loop, 10},
      Rank{FaultKey::output_limit, 10},
      Rank{FaultKey::trap, 11},
      Rank{FaultKey::assert_failed, 11},
  };
  for (const Rank& known : kRanks)
    if (is_one_of(fault, {known.key})) return known.rank;
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
