#pragma once

#include <cstdint>

#include "grader/simulator/exec/observer.h"

namespace fusebox::sim {

inline constexpr std::uint32_t kBanks = 32;
inline constexpr std::uint32_t kBankBytes = 4;

/// What one warp instruction asks of shared memory: 32 banks, 4 bytes wide, bank = (address / 4) % 32.
struct Wavefronts {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  ///< groups of lanes with an active lane
  std::uint32_t conflicts() const { return wavefronts - ideal; }
  bool operator==(const Wavefronts&) const = default;
};

/// Lanes are served in groups: all 32 when a lane moves up to 4 bytes, halves for 8, groups of eight for 16.
/// A group takes as many wavefronts as its busiest bank has distinct words to give. `address` holds 32 byte
/// offsets in the block's window, of which those in `lanes` (never 0) count; naturally aligned.
Wavefronts count_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes);
Wavefronts count_wavefronts(const WarpAccess& access);

}  // namespace fusebox::sim
