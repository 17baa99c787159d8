#include "grader/device/device.h"

#include <algorithm>

namespace fusebox {
namespace {

constexpr std::uint64_t kAlignment = 256;
// Wide enough that an index that is off by a row or two lands in a gap and not in the next tensor. Address
// space is free.
constexpr std::uint64_t kGap = 1 << 20;

std::uint64_t round_up(std::uint64_t value) { return (value + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

std::vector<DeviceAddress> place_buffers(const AddressRange& range, std::span<const std::uint64_t> sizes) {
  std::vector<DeviceAddress> addresses;
  std::uint64_t offset = kGap;
  for (std::uint64_t size : sizes) {
    if (offset > range.bytes || size > range.bytes - offset) break;
    addresses.push_back(range.begin + offset);
    offset += round_up(size) + kGap;
  }
  return addresses;
}

AddressRange range_behind(const AddressRange& range, std::span<const DeviceAddress> addresses,
                          std::span<const std::uint64_t> sizes) {
  std::uint64_t used = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    used = std::max(used, addresses[i] - range.begin + round_up(sizes[i]));
  used = std::min(used + kGap, range.bytes);
  return {range.begin + used, range.bytes - used};
}

}  // namespace fusebox
