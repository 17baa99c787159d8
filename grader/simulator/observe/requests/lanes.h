#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

inline constexpr LaneMask kAllLanes = ~LaneMask{0};

inline std::uint32_t lane_count(LaneMask lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

/// Calls f(lane) for each lane of the mask, lowest first.
template <class F>
inline void for_each_lane(LaneMask lanes, F&& f) {
  for (const int lane : lanes_in(lanes)) f(lane);
}

/// Calls f(mask) for the lanes that have one value of key(lane), one value after the other.
template <class Key, class F>
inline void for_each_group(LaneMask lanes, Key&& key, F&& f) {
  while (lanes != 0) {
    const auto value = key(std::countr_zero(lanes));
    LaneMask group = 0;
    for_each_lane(lanes, [&](int lane) { group |= LaneMask{key(lane) == value} << lane; });
    f(group);
    lanes &= ~group;
  }
}

/// Does address[i] == address[0] + i * stride hold for all 32 lanes?
inline bool has_stride(const std::uint64_t* address, std::uint64_t stride) {
  // Pairs of lanes, in the vector type that gcc and clang share: left to itself the compiler multiplies per
  // lane.
  using Pair [[gnu::vector_size(16)]] = std::uint64_t;
  const auto lanes = [&](int i) {
    Pair pair;
    std::memcpy(&pair, address + i, sizeof pair);
    return pair;
  };
  Pair expected = {address[0], address[0] + stride};
  Pair expected_next = expected + 2 * stride;
  Pair different = {}, different_next = {};
  for (int i = 0; i < kWarpSize; i += 4) {
    different |= lanes(i) ^ expected;
    different_next |= lanes(i + 2) ^ expected_next;
    expected += 4 * stride;
    expected_next += 4 * stride;
  }
  different |= different_next;
  return (different[0] | different[1]) == 0;
}

}  // namespace fusebox::sim
