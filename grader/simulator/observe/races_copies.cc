#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/observe/races_memory.h"

// Copies that run behind their thread's back. From where they are asked for until they are waited for, nobody
// may touch the bytes that they write, not even the thread that asked. When a cp.async has been waited for,
// its bytes are looked at as what that thread stores there and then: others need to be ordered behind the
// wait, not behind the request. A bulk copy's mbarrier orders those who wait for it; once somebody has, the
// bytes are not on their way any more.

namespace fusebox::sim {

void Races::Flying::begin(std::size_t warp_count) {
  warps.assign(warp_count, {});
  bulk.clear();
  std::fill(words.begin(), words.end(), 0);
  lanes = 0;
}

bool Races::Flying::meets(const WarpAccess& access) const {
  const std::uint64_t last = words.size() - 4;
  std::uint64_t any = 0;
  const auto look_at = [&](int lane) {
    const std::uint16_t* word = words.data() + std::min(access.address[lane] / 4, last);
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
  if (access.shape == Shape::broadcast)
    look_at(0);
  else if (access.lanes == kAllLanes)
    for (int lane = 0; lane < kWarpSize; ++lane) look_at(lane);
  else
    for_each_lane(access.lanes, look_at);
  return any != 0;
}

void Races::Flying::mark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by) {
  const std::size_t first = address / 4, last = (address + bytes + 3) / 4;
  // Room for the widest access at any word below.
  if (words.size() < last + 4) words.resize(2 * last + 4);
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(first),
            words.begin() + static_cast<std::ptrdiff_t>(last), by);
}

void Races::Flying::unmark(std::uint64_t address, std::uint64_t bytes, std::uint16_t by) {
  for (std::size_t word = address / 4; word < (address + bytes + 3) / 4; ++word)
    if (words[word] == by) words[word] = 0;
}

void Races::Flying::landed_in_bulk(std::uint64_t mbarrier) {
  std::erase_if(bulk, [&](const Bulk& copy) {
    if (copy.mbarrier != mbarrier) return false;
    unmark(copy.from, copy.to - copy.from, kBulk);
    return true;
  });
}

/// The lanes whose access of shared memory meets a copy on its way, which is reported.
LaneMask Races::meet_copies(const WarpAccess& access) {
  const Flying& flying = now_->flying;
  LaneMask met = 0;
  if (!flying.meets(access)) return met;
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t address = access.address[lane], first = address / 4;
    if (first >= flying.words.size()) return;
    std::uint16_t by = 0;
    const std::uint64_t end = std::min<std::uint64_t>((address + access.bytes + 3) / 4, flying.words.size());
    for (std::uint64_t word = first; word < end && by == 0; ++word) by = flying.words[word];
    if (by == 0) return;
    RawFault fault = race_of(access, lane, address);
    const auto overlaps = [&](std::uint64_t from, std::uint64_t to) {
      return from < address + access.bytes && address < to;
    };
    bool found = false;
    if (by == Flying::kBulk) {
      for (const Flying::Bulk& copy : flying.bulk)
        if (overlaps(copy.from, copy.to)) fault.other = copy.asked, found = true;
    } else {
      const std::uint32_t thread = by - 1u, of = thread % kWarpSize;
      for (const Flying::Copy& copy : flying.warps[thread / kWarpSize].copies)
        if ((copy.access.lanes >> of & 1) != 0 &&
            overlaps(copy.address[of], copy.address[of] + copy.access.bytes)) {
          fault.other = {AccessKind::store,
                         copy.access.instruction,
                         copy.access.warp.function,
                         copy.access.warp.block,
                         thread,
                         true};
          found = true;
        }
    }
    if (!found) return;
    met |= LaneMask{1} << lane;
    if (log_ != nullptr) log_->add(fault);
  });
  return met;
}

/// A cp.async has been issued.
void Races::take_off(const WarpAccess& access) {
  Flying& flying = now_->flying;
  Flying::OfWarp& warp = flying.warps[warp_];
  Flying::Copy& copy = warp.copies.emplace_back();
  copy.access = access;
  copy.access.means = Means::lanes;
  std::memcpy(copy.address.data(), access.address, sizeof copy.address);
  copy.group = warp.groups;
  flying.lanes += static_cast<std::size_t>(std::popcount(access.lanes));
  for_each_lane(access.lanes, [&](int lane) {
    flying.mark(access.address[lane], access.bytes,
                static_cast<std::uint16_t>(warp_ * kWarpSize + static_cast<std::uint32_t>(lane) + 1));
  });
}

void Races::take_off_in_bulk(const WarpAccess& part, int lane) {
  Flying& flying = now_->flying;
  const std::uint64_t from = part.address[0];
  const std::uint64_t bytes = static_cast<std::uint64_t>(std::popcount(part.lanes)) * part.bytes;
  flying.mark(from, bytes, Flying::kBulk);
  flying.bulk.push_back({from,
                         from + bytes,
                         static_cast<std::uint64_t>(part.completes),
                         {AccessKind::store, part.instruction, part.warp.function, part.warp.block,
                          warp_ * kWarpSize + static_cast<std::uint32_t>(lane), true}});
}

void Races::copies(const WarpId& id, LaneMask lanes, CopyUse use, std::uint32_t left) {
  state_of(id.block);
  warp_ = id.warp;
  Flying& flying = now_->flying;
  Flying::OfWarp& warp = flying.warps[warp_];
  if (use == CopyUse::commit || use == CopyUse::wait_all)
    for_each_lane(lanes, [&](int lane) { ++warp.groups[static_cast<std::size_t>(lane)]; });
  if (use == CopyUse::commit) return;
  for (Flying::Copy& copy : warp.copies) {
    LaneMask landed = 0;
    for_each_lane(lanes & copy.access.lanes, [&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      const bool done =
          use == CopyUse::hand_over || copy.group[l] + (use == CopyUse::wait ? left : 0) < warp.groups[l];
      landed |= LaneMask{done} << lane;
    });
    if (landed == 0) continue;
    flying.lanes -= static_cast<std::size_t>(std::popcount(landed));
    for_each_lane(landed, [&](int lane) {
      flying.unmark(copy.address[static_cast<std::size_t>(lane)], copy.access.bytes,
                    static_cast<std::uint16_t>(warp_ * kWarpSize + static_cast<std::uint32_t>(lane) + 1));
    });
    WarpAccess stored = copy.access;
    stored.lanes = landed;
    stored.address = copy.address.data();
    stored.shape = landed == kAllLanes ? copy.access.shape : Shape::any;
    copy.access.lanes &= ~landed;
    told_ = 0;
    look(stored);
  }
  std::erase_if(warp.copies, [](const Flying::Copy& copy) { return copy.access.lanes == 0; });
}

}  // namespace fusebox::sim
