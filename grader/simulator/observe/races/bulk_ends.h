#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// A place that no buffer has, for an offset in the shared memory of a block.
inline std::uint64_t place_in_shared(std::uint64_t block, std::uint64_t offset) {
  constexpr int kOffsetBits = 24;
  return std::uint64_t{1} << 63 | block << kOffsetBits | offset;
}

/// What bulk copies in flight read (nobody may write it) and what they write in global memory (nobody may
/// touch it), until they have been waited for: by the groups of their thread, or at their mbarrier. What they
/// write in shared memory is in copies_in_flight.h.
class BulkEnds {
 public:
  struct End {
    Space space = Space::global;
    AccessKind kind = AccessKind::load;
    std::uint64_t from = 0, to = 0;  ///< places: of shared memory, see above
    std::uint64_t mbarrier = 0;      ///< its place; 0: they go by groups
    std::uint32_t group = 0;
    RawFault::Other asked;
    WarpId warp;
    int lane = 0;
    std::uint64_t offset = 0;  ///< shared memory: what `from` is in its block
  };

  void clear();
  bool empty() const { return ends_.empty(); }
  /// A part of a bulk copy, as Observer::bulk_access() has it.
  void begin(const WarpAccess& part, int lane);
  /// The thread closes a group of its copies.
  void commit(const WarpId& warp, int lane);
  /// It waits for all groups but `left` of them; `read`: only until their sources have been read. Returned is
  /// what is free by that.
  std::vector<End> wait(const WarpId& warp, int lane, std::uint32_t left, bool read);
  /// Somebody has seen the mbarrier at this place complete.
  std::vector<End> complete_at(std::uint64_t mbarrier);
  void end_block(std::uint64_t block);
  /// Whether any of these lanes' accesses may meet one. Quick: most do not.
  bool may_overlap(const WarpAccess& access) const;
  /// Who asked for the copy that this lane's access may not meet.
  std::optional<RawFault::Other> overlapped(const WarpAccess& access, int lane) const;

 private:
  struct Groups {
    std::uint64_t block = 0;
    std::uint32_t thread = 0, closed = 0;
  };
  Groups& groups_of(const WarpId& warp, int lane);

  std::vector<End> ends_;
  std::vector<Groups> groups_;
};

}  // namespace fusebox::sim
