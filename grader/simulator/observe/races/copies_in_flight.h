#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// Asynchronous copies into one block's shared memory: issued, and not waited for. From where they begin
/// until they complete no thread may touch the bytes that they write, not even the one that issued them.
class CopiesInFlight {
 public:
  /// For another block, of so many warps.
  void begin_block(std::size_t warps);
  bool any() const { return lanes_ != 0 || !bulk_.empty(); }

  /// The lanes of a cp.async, at its end in shared memory.
  void begin(const WarpAccess& store);
  /// `lane` asks for a bulk copy; the grains of this part of it lie side by side.
  void begin_bulk(const WarpAccess& part, int lane);

  /// Whether any of these lanes' accesses of shared memory, each a multiple of its width away from 0, may
  /// overlap one. Quick: most overlap none.
  bool may_overlap(const WarpAccess& access) const;
  /// Who asked for the one that this lane's access overlaps.
  std::optional<RawFault::Other> overlapped(const WarpAccess& access, int lane) const;

  /// Lanes close a group of their copies (commit), or wait for groups of them. Returned is what completes by
  /// that: as much as its threads store there and then, because others need to be ordered behind the wait and
  /// not behind the request. Addresses are good until the next call.
  std::vector<WarpAccess> complete(std::uint32_t warp, LaneMask lanes, CopyUse use, std::uint32_t left);
  /// The mbarrier at address[lane] will say when the lane's copies so far are done. Returned is what it
  /// orders: as much as the lanes store now, though it stays in flight. Addresses are good until the next
  /// call.
  std::vector<WarpAccess> hand_over(std::uint32_t warp, LaneMask lanes, const std::uint64_t* address);
  /// Somebody has seen the mbarrier at this address complete: it orders those who wait for it, and the bytes
  /// of its copies are not in flight any more.
  void complete_at(std::uint64_t mbarrier);

 private:
  struct Copy {
    WarpAccess access;  ///< its lanes: those whose bytes are in flight
    std::array<std::uint64_t, kWarpSize> address{};
    std::array<std::uint32_t, kWarpSize> group{};     ///< of each lane's
    std::array<std::uint64_t, kWarpSize> mbarrier{};  ///< that was handed each lane's
    LaneMask handed_over = 0;
  };
  struct OfWarp {
    std::vector<Copy> copies;                       ///< cp.async, in the order in which they were asked for
    std::array<std::uint32_t, kWarpSize> groups{};  ///< committed, by lane
  };
  struct Bulk {
    std::uint64_t from = 0, to = 0, mbarrier = 0;
    RawFault::Other asked;
  };
  static constexpr std::uint16_t kBulk = 0xffff;
  static std::uint16_t mark_of(std::uint32_t warp, int lane) {
    return static_cast<std::uint16_t>(warp * kWarpSize + static_cast<std::uint32_t>(lane) + 1);
  }
  void store(const Copy& copy, LaneMask lanes);
  std::vector<WarpAccess> stored() const;
  /// Lanes of a copy of this warp are not in flight any more.
  void land(std::uint32_t warp, Copy& copy, LaneMask lanes);
  void mark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by);
  void unmark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by);

  std::vector<OfWarp> warps_;
  std::vector<Bulk> bulk_;
  /// Per word of shared memory: 0, the thread that asked for the copy + 1, or kBulk. The last four are 0.
  std::vector<std::uint16_t> words_ = std::vector<std::uint16_t>(4);
  std::size_t lanes_ = 0;   ///< whose copies are in flight
  std::vector<Copy> told_;  ///< what is returned, with its addresses
};

}  // namespace fusebox::sim
