#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {

/// A hash of what the live buffers hold, and of which of their bytes were ever written, piece by piece.
class MemoryImage {
 public:
  struct Piece {
    DeviceAddress address = 0;
    std::uint64_t bytes = 0, hash = 0;
  };

  /// Of the memory as it is. `cores`: how many may read it at once.
  static MemoryImage of(const GlobalMemory& memory, unsigned cores);

  /// Of buffers, contents and what is written, 64 bits: equal for equal memories, and for others by a chance
  /// that nobody meets who does not look for it.
  std::uint64_t hash() const { return hash_; }
  /// In order of address.
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  friend class MemoryChange;
  std::uint64_t bytes() const;
  void hash_all();

  std::vector<Piece> pieces_;
  std::uint64_t hash_ = 0;
};

/// What turns one memory into another that has the same buffers.
class MemoryChange {
 public:
  /// `after` is of `memory` as it is. None where the buffers differ, or where more than `max_bytes` would
  /// have to be kept.
  static std::optional<MemoryChange> between(const MemoryImage& before, const MemoryImage& after,
                                             const GlobalMemory& memory, std::uint64_t max_bytes);

  /// `image` is of `memory`, before and after.
  void apply(GlobalMemory& memory, MemoryImage& image) const;
  /// That it keeps.
  std::uint64_t bytes() const { return contents_.size(); }

 private:
  struct Changed {
    std::size_t piece = 0;
    std::uint64_t hash = 0;
  };
  std::vector<Changed> changed_;
  std::vector<std::byte> contents_;  ///< of each piece its bytes, then their shadow
};

}  // namespace fusebox::sim
