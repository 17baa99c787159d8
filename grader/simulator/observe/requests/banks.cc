#include "grader/simulator/observe/requests/banks.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t lanes_in_group(std::uint32_t bytes) {
  return bytes <= kBankBytes ? kWarpSize : kBanks * kBankBytes / bytes;
}

constexpr LaneMask mask_of_group(std::uint32_t first, std::uint32_t group_lanes) {
  return group_lanes == kWarpSize ? kAllLanes : ((LaneMask{1} << group_lanes) - 1) << first;
}

/// Groups of lanes that are served one after the other, and of which at least one lane is in the mask.
std::uint32_t active_groups(LaneMask lanes, std::uint32_t group_lanes) {
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += group_lanes)
    groups += (lanes & mask_of_group(first, group_lanes)) != 0;
  return groups;
}

/// Is lane i's address the first active lane's plus (i - first) * bytes, for every active lane?
bool is_unit_stride(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  const std::uint64_t base =
      address[std::countr_zero(lanes)] - std::uint64_t{bytes} * std::countr_zero(lanes);
  for (const std::uint64_t lane : lanes_in(lanes & (lanes - 1))) {
    if (address[lane] != base + lane * bytes) return false;
  }
  return true;
}

/// Do all lanes of a load, of one whole group or two, pair up so that the groups are served together?
bool go_together(const std::uint64_t* address, LaneMask lanes) {
  const auto pair_up = [&](int apart) {
    bool all = true;
    for_each_lane(lanes, [&](int lane) {
      const int other = lane ^ apart;
      all = all && ((lanes >> other & 1) == 0 || address[lane] == address[other]);
    });
    return all;
  };
  return pair_up(1) || pair_up(2);
}

/// Any addresses: the distinct words of each bank, by comparing with those already seen there. A group
/// touches up to 64 words.
Wavefronts group_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  std::uint64_t words[2 * kWarpSize];
  std::uint8_t next[2 * kWarpSize];  // the word seen before it in the same bank: 1 + index; 0: none
  std::uint8_t newest[kBanks] = {};  // likewise
  std::uint8_t depth[kBanks] = {};
  std::uint32_t count = 0, deepest = 0;
  for_each_lane(lanes, [&](int lane) {
    const std::uint64_t last = (address[lane] + bytes - 1) / kBankBytes;
    for (std::uint64_t word = address[lane] / kBankBytes; word <= last; ++word) {
      const std::uint32_t bank = word % kBanks;
      std::uint32_t seen = newest[bank];
      while (seen && words[seen - 1] != word) seen = next[seen - 1];
      if (seen) continue;
      words[count] = word;
      next[count] = newest[bank];
      newest[bank] = ++count;
      deepest = std::max<std::uint32_t>(deepest, ++depth[bank]);
    }
  });
  return {deepest, (count + kBanks - 1) / kBanks};
}

/// All lanes the same stride apart. Nothing where no rule is that simple.
std::optional<Wavefronts> strided_wavefronts(std::uint64_t stride, std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t group_lanes = lanes_in_group(bytes), groups = kWarpSize / group_lanes;
  if (stride == bytes) return Wavefronts{groups, groups};
  if (stride == 0) {
    const std::uint32_t served = kind == AccessKind::load && groups > 1 ? groups / 2 : groups;
    return Wavefronts{served, served};
  }
  // Lanes a whole number of elements apart: the elements of a group meet in the same banks every gcd lanes.
  if (bytes < kBankBytes || stride % bytes != 0) return std::nullopt;
  return Wavefronts{groups * std::gcd(static_cast<std::uint32_t>(stride / bytes % group_lanes), group_lanes),
                    groups};
}

}  // namespace

Wavefronts count_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes,
                            AccessKind kind) {
  const std::uint32_t group_lanes = lanes_in_group(bytes);
  const bool may_pair = kind == AccessKind::load && group_lanes < kWarpSize;
  if (lanes == kAllLanes) {
    const std::uint64_t stride = address[1] - address[0];
    if (has_stride(address, stride))
      if (const auto known = strided_wavefronts(stride, bytes, kind)) return *known;
  } else if (!may_pair && is_unit_stride(address, lanes, bytes)) {
    const std::uint32_t groups = active_groups(lanes, group_lanes);
    return {groups, groups};
  }
  Wavefronts result;
  const auto serve = [&](LaneMask group, bool together) {
    if (group == 0) return;
    const Wavefronts here = group_wavefronts(address, group, bytes);
    result.wavefronts += here.wavefronts;
    result.ideal += together ? here.ideal : 1;
  };
  const std::uint32_t step = may_pair ? 2 * group_lanes : group_lanes;
  for (std::uint32_t first = 0; first < kWarpSize; first += step) {
    const LaneMask low = lanes & mask_of_group(first, group_lanes);
    if (!may_pair) {
      serve(low, false);
      continue;
    }
    const LaneMask high = lanes & mask_of_group(first + group_lanes, group_lanes);
    if (go_together(address, low | high)) {
      serve(low | high, true);
    } else {
      serve(low, false);
      serve(high, false);
    }
  }
  return result;
}

Wavefronts count_wavefronts(const WarpAccess& access) {
  if (access.pattern == AddressPattern::any) {
    const bool pairs = access.path != AccessPath::matrices;
    return count_wavefronts(access.address, access.lanes, access.bytes,
                            pairs ? access.kind : AccessKind::store);
  }
  return *strided_wavefronts(access.pattern == AddressPattern::unit ? access.bytes : 0, access.bytes,
                             access.kind);
}

}  // namespace fusebox::sim
