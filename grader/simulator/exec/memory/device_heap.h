#pragma once

#include <cstdint>
#include <map>

#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/program/decoded_instruction.h"

namespace fusebox::sim {

/// What `malloc` and `new` in device code take from. Its pieces outlive launches. They lie in buffers of
/// their own, of which only the bytes of live pieces count as live.
class DeviceHeap {
 public:
  static constexpr const char* kName = "the device's heap";
  static constexpr std::uint64_t kUsualLimit = 8 << 20;  ///< the default of cudaLimitMallocHeapSize

  DeviceHeap(GlobalMemory& memory, AddressRange range) : memory_(memory), range_(range) { restart(); }

  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  /// Pieces that earlier launches freed may be given out again. Within a launch they are not: two threads
  /// that get the same bytes one after the other would look like a race, and a use after free like none.
  /// `expected`: the kernel will ask, so that its first buffer should be there.
  void begin_launch(bool expected);
  /// Forgets everything; the memory has been cleared.
  void restart();

  /// A multiple of 16; 0 when the limit is reached, or this machine has no more.
  DeviceAddress allocate(std::uint64_t bytes);
  /// False when `address` is not the start of a live piece.
  bool free(DeviceAddress address);

 private:
  bool grow(std::uint64_t bytes);

  GlobalMemory& memory_;
  AddressRange range_;
  std::uint64_t limit_ = kUsualLimit, used_ = 0;
  DeviceAddress next_ = 0, end_ = 0;  ///< what is left of the newest buffer
  std::map<DeviceAddress, std::uint64_t> live_, freed_;
  std::multimap<std::uint64_t, DeviceAddress> reusable_;  ///< by size, with its gap
};

// Handlers of the calls of `malloc` and `free`.
void device_malloc(Warp&, const DecodedInstruction&, LaneMask);
void device_free(Warp&, const DecodedInstruction&, LaneMask);

}  // namespace fusebox::sim
