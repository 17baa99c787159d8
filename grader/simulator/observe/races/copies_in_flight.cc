#include "grader/simulator/observe/races/copies_in_flight.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {

void CopiesInFlight::begin_block(std::size_t warps) {
  warps_.assign(warps, {});
  bulk_.clear();
  std::fill(words_.begin(), words_.end(), 0);
  lanes_ = 0;
}

bool CopiesInFlight::may_overlap(const WarpAccess& access) const {
  const std::uint64_t last = words_.size() - 4;
  std::uint64_t any = 0;
  const auto look_at = [&](int lane) {
    const std::uint16_t* word = words_.data() + std::min(access.address[lane] / 4, last);
    if (access.bytes <= 4) {
      any |= *word;
    } else if (access.bytes == 8) {
      std::uint32_t two;
      std::memcpy(&two, word, sizeof two);
      any |= two;
    } else {
      std::uint64_t four;
      std::memcpy(&four, word, sizeof four);
      any |= four;
    }
  };
  if (access.pattern == AddressPattern::broadcast)
    look_at(0);
  else if (access.lanes == kAllLanes)
    for (int lane = 0; lane < kWarpSize; ++lane) look_at(lane);
  else
    for_each_lane(access.lanes, look_at);
  return any != 0;
}

void CopiesInFlight::mark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by) {
  const std::size_t first = address / 4, last = (address + bytes + 3) / 4;
  // Room for the widest access at any word below.
  if (words_.size() < last + 4) words_.resize(2 * last + 4);
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first),
            words_.begin() + static_cast<std::ptrdiff_t>(last), by);
}

void CopiesInFlight::unmark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by) {
  for (std::size_t word = address / 4; word < (address + bytes + 3) / 4; ++word)
    if (words_[word] == by) words_[word] = 0;
}

std::optional<RawFault::Other> CopiesInFlight::overlapped(const WarpAccess& access, int lane) const {
  const std::uint64_t address = access.address[lane], first = address / 4;
  if (first >= words_.size()) return std::nullopt;
  std::uint16_t by = 0;
  const std::uint64_t end = std::min<std::uint64_t>((address + access.bytes + 3) / 4, words_.size());
  for (std::uint64_t word = first; word < end && by == 0; ++word) by = words_[word];
  if (by == 0) return std::nullopt;
  const auto overlaps = [&](std::uint64_t from, std::uint64_t to) {
    return from < address + access.bytes && address < to;
  };
  std::optional<RawFault::Other> other;
  if (by == kBulk) {
    for (const Bulk& copy : bulk_)
      if (overlaps(copy.from, copy.to)) other = copy.asked;
    return other;
  }
  const std::uint32_t thread = by - 1u, of = thread % kWarpSize;
  for (const Copy& copy : warps_[thread / kWarpSize].copies)
    if ((copy.access.lanes >> of & 1) != 0 &&
        overlaps(copy.address[of], copy.address[of] + copy.access.bytes))
      other = {AccessKind::store,
               copy.access.instruction,
               copy.access.warp.function,
               copy.access.warp.block,
               thread,
               true};
  return other;
}

void CopiesInFlight::begin(const WarpAccess& store) {
  OfWarp& warp = warps_[store.warp.warp];
  Copy& copy = warp.copies.emplace_back();
  copy.access = store;
  copy.access.path = AccessPath::lanes;
  std::memcpy(copy.address.data(), store.address, sizeof copy.address);
  copy.group = warp.groups;
  lanes_ += static_cast<std::size_t>(std::popcount(store.lanes));
  for_each_lane(store.lanes,
                [&](int lane) { mark(store.address[lane], store.bytes, mark_of(store.warp.warp, lane)); });
}

void CopiesInFlight::begin_bulk(const WarpAccess& part, int lane) {
  const std::uint64_t from = part.address[0];
  const std::uint64_t bytes = static_cast<std::uint64_t>(std::popcount(part.lanes)) * part.bytes;
  mark(from, bytes, kBulk);
  bulk_.push_back({from,
                   from + bytes,
                   static_cast<std::uint64_t>(part.completes),
                   {AccessKind::store, part.instruction, part.warp.function, part.warp.block,
                    part.warp.warp * kWarpSize + static_cast<std::uint32_t>(lane), true}});
}

std::vector<WarpAccess> CopiesInFlight::complete(std::uint32_t index, LaneMask lanes, CopyUse use,
                                                 std::uint32_t left) {
  OfWarp& warp = warps_[index];
  told_.clear();
  if (use == CopyUse::commit || use == CopyUse::wait_all)
    for_each_lane(lanes, [&](int lane) { ++warp.groups[static_cast<std::size_t>(lane)]; });
  if (use == CopyUse::commit) return {};
  for (Copy& copy : warp.copies) {
    LaneMask done = 0;
    for_each_lane(lanes & copy.access.lanes, [&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      const bool waited = copy.group[l] + (use == CopyUse::wait ? left : 0) < warp.groups[l];
      done |= LaneMask{waited} << lane;
    });
    if (done == 0) continue;
    store(copy, done);
    land(index, copy, done);
  }
  std::erase_if(warp.copies, [](const Copy& copy) { return copy.access.lanes == 0; });
  return stored();
}

std::vector<WarpAccess> CopiesInFlight::stored() const {
  std::vector<WarpAccess> stored;
  stored.reserve(told_.size());
  for (const Copy& copy : told_) {
    stored.push_back(copy.access);
    stored.back().address = copy.address.data();
  }
  return stored;
}

/// Lanes of a copy are among those that are told of.
void CopiesInFlight::store(const Copy& copy, LaneMask lanes) {
  Copy& complete = told_.emplace_back(copy);
  complete.access.lanes = lanes;
  if (lanes != kAllLanes) complete.access.pattern = AddressPattern::any;
}

void CopiesInFlight::land(std::uint32_t warp, Copy& copy, LaneMask lanes) {
  lanes_ -= static_cast<std::size_t>(std::popcount(lanes));
  for_each_lane(lanes, [&](int lane) {
    unmark(copy.address[static_cast<std::size_t>(lane)], copy.access.bytes, mark_of(warp, lane));
  });
  copy.access.lanes &= ~lanes;
}

std::vector<WarpAccess> CopiesInFlight::hand_over(std::uint32_t index, LaneMask lanes,
                                                  const std::uint64_t* address) {
  told_.clear();
  for (Copy& copy : warps_[index].copies) {
    const LaneMask fresh = lanes & copy.access.lanes & ~copy.handed_over;
    if (fresh == 0) continue;
    for_each_lane(fresh, [&](int lane) { copy.mbarrier[static_cast<std::size_t>(lane)] = address[lane]; });
    copy.handed_over |= fresh;
    store(copy, fresh);
  }
  return stored();
}

void CopiesInFlight::complete_at(std::uint64_t mbarrier) {
  if (lanes_ != 0)
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
      for (Copy& copy : warps_[w].copies) {
        LaneMask done = 0;
        for_each_lane(copy.handed_over & copy.access.lanes, [&](int lane) {
          done |= LaneMask{copy.mbarrier[static_cast<std::size_t>(lane)] == mbarrier} << lane;
        });
        if (done != 0) land(w, copy, done);
      }
      std::erase_if(warps_[w].copies, [](const Copy& copy) { return copy.access.lanes == 0; });
    }
  std::erase_if(bulk_, [&](const Bulk& copy) {
    if (copy.mbarrier != mbarrier) return false;
    unmark(copy.from, copy.to - copy.from, kBulk);
    return true;
  });
}

}  // namespace fusebox::sim
