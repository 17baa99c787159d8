#pragma once

#include <cstdint>
#include <cstring>

#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {

/// The last of the device's addresses, which belong to what launches bring along.
constexpr std::uint64_t kWorkspaceRoom = 64 << 10;

/// Memory that a launch itself brings along, for as long as it runs: its size, and the word that the blocks
/// of grid.sync() count in.
class GridWorkspace {
 public:
  /// Not `wanted`: none is made.
  GridWorkspace(GlobalMemory& memory, bool wanted) : memory_(memory) {
    const AddressRange range = memory.range();
    const DeviceAddress address = range.begin + range.bytes - kWorkspaceRoom;
    if (!wanted || !memory.allocate("the grid's workspace", address, kBytes)) return;
    address_ = address;
    const std::uint32_t words[2] = {kBytes, 0};
    std::memcpy(GlobalMemory::data(address), words, sizeof words);
    memory.define(address, kBytes);
  }
  ~GridWorkspace() {
    if (address_ != 0 && memory_.free(address_)) memory_.forget(address_);
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;
  /// 0: there is none.
  DeviceAddress address() const { return address_; }

 private:
  static constexpr std::uint32_t kBytes = 8;

  GlobalMemory& memory_;
  DeviceAddress address_ = 0;
};

}  // namespace fusebox::sim
