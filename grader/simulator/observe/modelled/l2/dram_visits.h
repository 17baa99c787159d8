#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace fusebox::sim {

/// What DRAM takes for parts of lines, and for lines far from one another, beyond the time that their bytes
/// take: in bytes that it could have moved meanwhile, were they in order. `bench/pipes/gathers.cu` measured
/// it on an H200: rows of 32 to 2048 bytes that are gathered, or scattered, behind one another, with gaps
/// between them, and in an order that is drawn.
class DramVisits {
 public:
  /// `bytes` of a line are read.
  std::uint64_t read(std::uint64_t line, std::uint64_t bytes) {
    return read_.comes_alone(line, bytes) ? kReadAlone : 0;
  }
  /// A sector of which parts were written is read: DRAM is busy as with the pair, which takes no longer where
  /// the other one is read next.
  std::int64_t filled(std::uint64_t line, unsigned sector) {
    const bool second = (filled_ ^ 1) == line * 4 + sector;
    filled_ = second ? kNone : line * 4 + sector;
    return second ? -32 : 32 + static_cast<std::int64_t>(read(line, 64));
  }
  /// `bytes` of a line are written.
  std::uint64_t written(std::uint64_t line, std::uint64_t bytes) {
    const std::uint64_t least = std::max(bytes, kLeastWritten) - bytes;
    return least + (written_.comes_alone(line, bytes) ? kWrittenAlone : 0);
  }

 private:
  static constexpr std::uint64_t kReadAlone = 35, kWrittenAlone = 55, kLeastWritten = 90;

  /// The lines that were visited last. What is near to one of them finds its page of DRAM open.
  class Last {
   public:
    /// A line of which half or less is moved, and no line near it was.
    bool comes_alone(std::uint64_t line, std::uint64_t bytes) {
      constexpr std::uint64_t kNear = 8;  // lines: 1 KiB
      // Less than nothing is far more than that.
      const auto is_near = [line](std::uint64_t other) { return line - other + kNear <= 2 * kNear; };
      const bool alone = bytes <= 64 && std::none_of(lines_.begin(), lines_.end(), is_near);
      lines_[next_++ % lines_.size()] = line;
      return alone;
    }

   private:
    std::array<std::uint64_t, 16> lines_{};
    std::uint64_t next_ = 0;
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  Last read_, written_;
  std::uint64_t filled_ = kNone;  ///< the sector that was filled last, whose pair is not
};

}  // namespace fusebox::sim
