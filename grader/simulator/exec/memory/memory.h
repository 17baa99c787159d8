#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/report/result.h"

namespace fusebox::sim {

/// A live or freed piece of global memory.
struct Allocation {
  std::string name;
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
  bool freed = false;
  bool own = false;  ///< the host function allocated it itself
};

// Fixed places keep addresses, and so everything printed of them and which cache sets they fall into, the
// same from run to run: one for each device that lives in this process. They are only hints.
inline constexpr std::uint64_t kPreferredBase = 0x600000000000, kApart = 1ull << 40, kPlaces = 16;

/// Global memory: one reserved range of addresses, and beside every byte a shadow byte that says whether it
/// belongs to a live buffer (kLive) and whether anything was written there (kDefined). Whatever is not live
/// is a guard zone, so one compare of shadow bytes answers both "in bounds?" and "initialised?".
///
/// A device address is the host address of its byte: argument bytes need no translation. Only checked code
/// dereferences it.
class GlobalMemory {
 public:
  static constexpr std::uint8_t kLive = 1, kDefined = 2, kGood = 3;
  /// What fresh memory reads as: NaN in every floating-point format.
  static constexpr std::uint8_t kUndefinedByte = 0xff;

  static constexpr std::uint64_t kReserved = 64ull << 30;

  /// `cores`: how many may work on it at once.
  explicit GlobalMemory(std::uint64_t reserve_bytes = kReserved, unsigned cores = 1);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  AddressRange range() const { return {base_, reserved_}; }

  /// Makes [address, address + bytes) a live buffer; `defined`, when the caller fills all of it next. Fails
  /// when it leaves the range, overlaps a live buffer, or the machine has no memory for it.
  Result<bool> allocate(const std::string& name, DeviceAddress address, std::uint64_t bytes,
                        bool defined = false);
  /// The live buffer at `address` is one that the host function allocated itself.
  void mark_own(DeviceAddress address);
  /// False when `address` is not the start of a live buffer.
  bool free(DeviceAddress address);
  /// Forgets a freed buffer and gives its pages back, so that its addresses can be used again.
  void forget(DeviceAddress address);
  /// Forgets all buffers.
  void clear();

  /// True when all of [address, address + bytes) is inside one live buffer.
  bool live(DeviceAddress address, std::uint64_t bytes) const;
  void define(DeviceAddress address, std::uint64_t bytes);
  /// Of live memory; what of it is defined stays as it is.
  void copy_in(DeviceAddress to, const void* from, std::uint64_t bytes);
  void fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes);
  bool defined(DeviceAddress address, std::uint64_t bytes) const;
  /// Of a whole live buffer. Large ones get fresh pages instead.
  void zero(DeviceAddress address, std::uint64_t bytes);

  /// Unchecked; for addresses that live() or the shadow vouches for.
  static std::byte* data(DeviceAddress address) { return reinterpret_cast<std::byte*>(address); }
  std::uint8_t* shadow(DeviceAddress address) const { return shadow_ + (address - base_); }
  /// Addresses whose shadow may be read: at least 16 bytes before the end of the range.
  bool in_range(DeviceAddress address) const { return address - base_ < reserved_ - 16; }

  /// In order of address.
  const std::vector<Allocation>& allocations() const { return allocations_; }

 private:
  void give_back(const Allocation& allocation);
  void set_shadow(DeviceAddress address, std::uint8_t state, std::uint64_t bytes);

  DeviceAddress base_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint8_t* shadow_ = nullptr;
  unsigned cores_;
  std::vector<Allocation> allocations_;
};

}  // namespace fusebox::sim
