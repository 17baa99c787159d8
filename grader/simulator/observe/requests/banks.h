#pragma once

#include <cstdint>

#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

inline constexpr std::uint32_t kBanks = 32;
inline constexpr std::uint32_t kBankBytes = 4;

/// What one warp instruction asks of shared memory: 32 banks, 4 bytes wide, bank = (address / 4) % 32.
struct Wavefronts {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  ///< what the same lanes would take without two words of a bank meeting
  std::uint32_t conflicts() const { return wavefronts - ideal; }
  bool operator==(const Wavefronts&) const = default;
};

/// Lanes are served in groups: all 32 when a lane moves up to 4 bytes, halves for 8, groups of eight for 16.
/// Two neighbouring groups of a load go together when each active lane has the address of its neighbour
/// (lane ^ 1), or each that of the next but one (lane ^ 2), or that one is not active; those of ldmatrix
/// never do. A group takes as many wavefronts as its busiest bank has distinct words to give. `address` holds
/// 32 byte offsets in the block's window, of which those in `lanes` (never 0) count; naturally aligned. As an
/// H200 counts (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum,
/// assets/recorded/parity/patterns_h200.csv).
Wavefronts count_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes,
                            AccessKind kind);
Wavefronts count_wavefronts(const WarpAccess& access);

}  // namespace fusebox::sim
