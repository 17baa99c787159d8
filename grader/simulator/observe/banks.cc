#include "grader/simulator/observe/banks.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "grader/simulator/observe/lanes.h"

namespace fusebox::sim {
namespace {

/// Groups of lanes that are served one after the other, and of which at least one lane is in the mask.
std::uint32_t active_groups(LaneMask lanes, std::uint32_t group_lanes) {
  if (group_lanes == kWarpSize) return 1;
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += group_lanes) {
    groups += ((lanes >> first) & ((LaneMask{1} << group_lanes) - 1)) != 0;
  }
  return groups;
}

/// Is lane i's address the first active lane's plus (i - first) * bytes, for every active lane?
bool is_unit_stride(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  const std::uint64_t base =
      address[std::countr_zero(lanes)] - std::uint64_t{bytes} * std::countr_zero(lanes);
  for (LaneMask rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
    const std::uint64_t lane = std::countr_zero(rest);
    if (address[lane] != base + lane * bytes) return false;
  }
  return true;
}

/// Any addresses: the distinct words of each bank, by comparing with those already seen there. A group
/// touches up to 32 words, or 64 when its lanes cross words.
std::uint32_t group_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
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
  return deepest;
}

}  // namespace

Wavefronts count_wavefronts(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  const std::uint32_t group_lanes = bytes <= kBankBytes ? kWarpSize : kBanks * kBankBytes / bytes;
  Wavefronts result;
  result.ideal = active_groups(lanes, group_lanes);

  if (lanes == kAllLanes) {
    const std::uint64_t stride = address[1] - address[0];
    if (has_stride(address, stride)) {
      if (stride == 0 || stride == bytes) {
        result.wavefronts = result.ideal;
        return result;
      }
      // Lanes a whole number of elements apart: the elements of a group meet in the same banks every gcd
      // lanes.
      if (bytes >= kBankBytes && stride % bytes == 0) {
        result.wavefronts = result.ideal * std::gcd<std::uint64_t>(stride / bytes % group_lanes, group_lanes);
        return result;
      }
    }
  } else if (is_unit_stride(address, lanes, bytes)) {
    result.wavefronts = result.ideal;
    return result;
  }
  for (std::uint32_t first = 0; first < kWarpSize; first += group_lanes) {
    const LaneMask group = group_lanes == kWarpSize ? kAllLanes : ((LaneMask{1} << group_lanes) - 1) << first;
    if (lanes & group) result.wavefronts += group_wavefronts(address, lanes & group, bytes);
  }
  return result;
}

Wavefronts count_wavefronts(const WarpAccess& access) {
  if (access.shape == Shape::any) return count_wavefronts(access.address, access.lanes, access.bytes);
  // No two lanes want different words of one bank, and every group has its lanes.
  const std::uint32_t groups = access.bytes <= kBankBytes ? 1 : access.bytes / kBankBytes;
  return {groups, groups};
}

}  // namespace fusebox::sim
