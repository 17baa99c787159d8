#include "grader/simulator/observe/races/bulk_ends.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

std::uint32_t thread_of(const WarpId& warp, int lane) {
  return warp.warp * kWarpSize + static_cast<std::uint32_t>(lane);
}

/// Reads do not disturb each other, and neither do reductions.
bool disturbs(AccessKind a, AccessKind b) { return a != b || a == AccessKind::store; }

/// From an address to its place.
std::uint64_t base_of(const WarpAccess& access) {
  if (access.space != Space::shared) return 0;
  return place_in_shared(access.owner < 0 ? access.warp.block : static_cast<std::uint64_t>(access.owner), 0);
}

/// Takes those out for which `goes` is true.
template <class Goes>
std::vector<BulkEnds::End> take(std::vector<BulkEnds::End>& ends, Goes goes) {
  std::vector<BulkEnds::End> taken;
  for (const BulkEnds::End& end : ends)
    if (goes(end)) taken.push_back(end);
  std::erase_if(ends, goes);
  return taken;
}

}  // namespace

void BulkEnds::clear() {
  ends_.clear();
  groups_.clear();
}

BulkEnds::Groups& BulkEnds::groups_of(const WarpId& warp, int lane) {
  const std::uint32_t thread = thread_of(warp, lane);
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Groups& groups) {
    return groups.block == warp.block && groups.thread == thread;
  });
  if (found != groups_.end()) return *found;
  return groups_.emplace_back(Groups{warp.block, thread, 0});
}

void BulkEnds::begin(const WarpAccess& part, int lane) {
  const bool shared = part.space == Space::shared;
  if (part.owner >= 0 || (part.completes < 0 && !part.grouped)) return;
  if (shared && part.kind != AccessKind::load) return;
  End end;
  end.space = part.space;
  end.kind = part.kind;
  end.offset = part.address[0];
  end.from = shared ? place_in_shared(part.warp.block, end.offset) : end.offset;
  end.to = end.from + static_cast<std::uint64_t>(std::popcount(part.lanes)) * part.bytes;
  if (part.completes >= 0)
    end.mbarrier = place_in_shared(part.warp.block, static_cast<std::uint64_t>(part.completes));
  else
    end.group = groups_of(part.warp, lane).closed;
  end.asked = {part.kind,       part.instruction,           part.warp.function,
               part.warp.block, thread_of(part.warp, lane), true};
  end.warp = part.warp;
  end.lane = lane;
  // The parts of one copy lie side by side.
  if (!ends_.empty()) {
    End& last = ends_.back();
    if (last.to == end.from && last.kind == end.kind && last.mbarrier == end.mbarrier &&
        last.group == end.group && last.warp.block == end.warp.block &&
        last.asked.instruction == end.asked.instruction && last.asked.thread == end.asked.thread) {
      last.to = end.to;
      return;
    }
  }
  ends_.push_back(end);
}

void BulkEnds::commit(const WarpId& warp, int lane) {
  if (!ends_.empty()) ++groups_of(warp, lane).closed;
}

std::vector<BulkEnds::End> BulkEnds::wait(const WarpId& warp, int lane, std::uint32_t left, bool read) {
  if (ends_.empty()) return {};
  const std::uint32_t closed = groups_of(warp, lane).closed, thread = thread_of(warp, lane);
  return take(ends_, [&](const End& end) {
    return end.mbarrier == 0 && end.warp.block == warp.block && end.asked.thread == thread &&
           end.group + left < closed && (!read || end.kind == AccessKind::load);
  });
}

std::vector<BulkEnds::End> BulkEnds::complete_at(std::uint64_t mbarrier) {
  return take(ends_, [&](const End& end) { return end.mbarrier == mbarrier; });
}

void BulkEnds::end_block(std::uint64_t block) {
  std::erase_if(ends_, [&](const End& end) { return end.warp.block == block; });
  std::erase_if(groups_, [&](const Groups& groups) { return groups.block == block; });
}

bool BulkEnds::may_overlap(const WarpAccess& access) const {
  if (ends_.empty()) return false;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for_each_lane(access.lanes, [&](int lane) {
    first = std::min(first, access.address[lane]);
    last = std::max(last, access.address[lane]);
  });
  const std::uint64_t base = base_of(access);
  return std::any_of(ends_.begin(), ends_.end(), [&](const End& end) {
    return disturbs(access.kind, end.kind) && base + first < end.to && end.from < base + last + access.bytes;
  });
}

std::optional<RawFault::Other> BulkEnds::overlapped(const WarpAccess& access, int lane) const {
  const std::uint64_t from = base_of(access) + access.address[lane];
  for (const End& end : ends_)
    if (disturbs(access.kind, end.kind) && from < end.to && end.from < from + access.bytes) return end.asked;
  return std::nullopt;
}

}  // namespace fusebox::sim
