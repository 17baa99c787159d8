#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "grader/simulator/launch/session.h"

namespace fusebox::sim {

enum class MemoryKind : std::uint8_t { device, managed, host };

/// Addresses for a program's allocations: finds room, keeps freed buffers apart for a while, so that their
/// use is noticed, and gives their addresses out again after that.
class DeviceMemory {
 public:
  struct Block {
    std::uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
  };

  explicit DeviceMemory(Session& session);

  /// 0 when there is no room: the GPU's, or this machine's, which pays for each byte and for the shadow
  /// beside it.
  DeviceAddress allocate(std::uint64_t bytes, MemoryKind kind);
  /// False when `address` is not the start of a live allocation of a kind that `host` is or is not.
  bool free(DeviceAddress address, bool host);

  /// The allocation that holds the address; null when there is none. `begin` becomes its start.
  const Block* find(DeviceAddress address, DeviceAddress* begin = nullptr) const;
  /// Some of it is managed, or the host's own: the host writes there without a call.
  bool host_may_write() const;
  /// Any address that device memory may have, live or not.
  bool is_device(DeviceAddress address) const;

  std::uint64_t total_bytes() const { return capacity_; }
  std::uint64_t free_bytes() const { return capacity_ - live_bytes_; }

 private:
  std::uint64_t span(std::uint64_t bytes) const;
  DeviceAddress find_room(std::uint64_t bytes);
  void release_oldest();

  Session& session_;
  std::uint64_t capacity_ = 0, live_bytes_ = 0, next_ = 0, count_ = 0;
  std::map<DeviceAddress, Block> live_;
  std::deque<std::pair<DeviceAddress, std::uint64_t>> freed_;  ///< oldest first
  std::multimap<std::uint64_t, DeviceAddress> reusable_;       ///< by span
};

}  // namespace fusebox::sim
