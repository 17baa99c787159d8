#pragma once

#include <cstdint>
#include <unordered_map>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

/// What atomics on shared memory cost that the hardware carries out as loops (is_shared_loop in reduction.h):
/// all lanes of a block that name one address go one after the other. Measured on an H200
/// (bench/pipes/shared_atomics.cu).
class SharedLoops {
 public:
  struct Cost {
    std::uint64_t rounds = 0;  ///< of the loop, of one warp
    std::uint64_t cycles = 0;  ///< until the warp goes on
  };
  /// Issue slots of a round, and cycles that it keeps an SM's shared memory busy.
  static constexpr double kSlots = 5, kBusyCycles = 3.7;

  /// `lanes`: those of the request that name its busiest address. Which warps meet is told by the first
  /// lane's, of however many addresses.
  Cost of(const WarpAccess& access, std::uint64_t lanes);
  /// Whoever was at an address before has left.
  void barrier() { warps_.clear(); }

 private:
  std::uint64_t block_ = ~std::uint64_t{0};
  std::unordered_map<std::uint64_t, std::uint32_t> warps_;  ///< of the block, that were at an address
};

}  // namespace fusebox::sim
