#pragma once

#include <cstdint>

namespace fusebox {

// What every NVIDIA GPU has in common.
inline constexpr int kWarpSize = 32;               ///< lanes
inline constexpr std::uint32_t kSectorBytes = 32;  ///< what travels between L1, L2 and DRAM at the least

/// Warps of a block, the last of which may be short of lanes.
constexpr std::uint64_t warps_of(std::uint64_t threads) { return (threads + kWarpSize - 1) / kWarpSize; }

}  // namespace fusebox
