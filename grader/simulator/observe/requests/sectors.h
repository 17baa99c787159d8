#pragma once

#include <cstdint>

#include "grader/report/hardware.h"
#include "grader/simulator/exec/state/events.h"

namespace fusebox::sim {

inline constexpr std::uint32_t kLineBytes = 128;

/// What one warp instruction asks of global memory. Exact for any addresses: overlapping, permuted, equal,
/// crossing sectors.
struct Footprint {
  std::uint32_t sectors = 0;        ///< distinct aligned 32-byte blocks touched; atomics: atomic_sectors()
  std::uint32_t lines = 0;          ///< distinct aligned 128-byte blocks touched
  std::uint32_t useful_bytes = 0;   ///< size of the union of all lanes' bytes
  std::uint32_t ideal_sectors = 0;  ///< ceil(useful_bytes / 32)

  std::uint64_t begin = 0, end = 0;  ///< first byte touched, and one past the last
  bool contiguous = false;           ///< every byte of [begin, end) is touched; false says nothing
};

/// Measures one request. `address` holds 32 values, of which those in `lanes` (never 0) count; each such lane
/// touches `bytes` (1 to 32) from its address on.
Footprint measure(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes);
inline Footprint measure(const WarpAccess& access);

/// Sectors of an atomic request: each sector as often as its busiest address has lanes, because lanes with
/// one address take turns. As an H200 counts (l1tex__t_sectors_pipe_lsu_mem_global_op_{atom,red}.sum,
/// assets/recorded/parity/patterns_h200.csv). `lanes` is never 0.
std::uint32_t atomic_sectors(const std::uint64_t* address, LaneMask lanes);

/// Sectors that a bulk copy moves at its global end: those of each 128 bytes from its first byte on, summed.
/// As an H200 counts (l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum and its likes,
/// assets/recorded/parity/bulk_copies_h200.csv). `bytes` is not 0.
std::uint32_t bulk_sectors(std::uint64_t address, std::uint32_t bytes);

/// The largest number of lanes (of `lanes`, never 0) that name one address: what an atomic has to serialise.
std::uint32_t max_lanes_on_one_address(const std::uint64_t* address, LaneMask lanes);

/// Every byte of [begin, end) is touched.
inline Footprint measure_run(std::uint64_t begin, std::uint64_t end) {
  const auto blocks = [&](std::uint32_t bytes) {
    return static_cast<std::uint32_t>((end - 1) / bytes - begin / bytes + 1);
  };
  const auto useful = static_cast<std::uint32_t>(end - begin);
  return {.sectors = blocks(kSectorBytes),
          .lines = blocks(kLineBytes),
          .useful_bytes = useful,
          .ideal_sectors = (useful + kSectorBytes - 1) / kSectorBytes,
          .begin = begin,
          .end = end,
          .contiguous = true};
}

/// For addresses without a known pattern.
Footprint measure_closely(const WarpAccess& access);

inline Footprint measure(const WarpAccess& access) {
  if (access.pattern == AddressPattern::any || access.kind == AccessKind::atomic)
    return measure_closely(access);
  const std::uint64_t first = access.address[0];
  return measure_run(first, first + (access.pattern == AddressPattern::unit ? 32u : 1u) * access.bytes);
}

}  // namespace fusebox::sim
