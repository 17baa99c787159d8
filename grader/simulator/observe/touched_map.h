#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fusebox::sim {

/// Which sectors of one buffer were touched in this launch, and how many. A byte per sector holds the number
/// of the launch that touched it last, so that a new launch clears nothing.
class TouchedMap {
 public:
  /// Launch numbers are 1 to 255; after 255 launches the caller clears and starts again at 1.
  void begin_launch(std::uint8_t launch) {
    launch_ = launch;
    count_ = 0;
  }
  void clear() { std::fill(last_.begin(), last_.end(), 0); }

  /// Makes room for `sectors`, once; buffers that no launch touches cost nothing.
  void reserve(std::uint64_t sectors) {
    if (last_.empty()) last_.resize(sectors);
  }
  void mark(std::uint64_t sector) {
    count_ += last_[sector] != launch_;
    last_[sector] = launch_;
  }
  void mark(std::uint64_t first, std::uint64_t last) {
    const std::uint32_t all_touched = launch_ * 0x01010101u;
    for (; first + 3 <= last; first += 4) {
      std::uint32_t four;
      std::memcpy(&four, last_.data() + first, sizeof four);
      if (four == all_touched) continue;
      for (std::uint64_t sector = first; sector < first + 4; ++sector) mark(sector);
    }
    for (; first <= last; ++first) mark(first);
  }
  /// Adds what `other`, a map of the same buffer in the same launch, has touched.
  void merge(const TouchedMap& other) {
    reserve(other.last_.size());
    for (std::uint64_t sector = 0; sector < other.last_.size(); ++sector) {
      if (other.last_[sector] == other.launch_) mark(sector);
    }
  }
  /// Was a sector touched in both? Of the same buffer in the same launch.
  bool meets(const TouchedMap& other) const {
    const std::size_t both = std::min(last_.size(), other.last_.size());
    std::uint8_t met = 0;
    for (std::size_t sector = 0; sector < both; ++sector)
      met |= static_cast<std::uint8_t>((last_[sector] == launch_) & (other.last_[sector] == other.launch_));
    return met != 0;
  }
  std::uint64_t count() const { return count_; }

 private:
  std::vector<std::uint8_t> last_;
  std::uint64_t count_ = 0;
  std::uint8_t launch_ = 0;
};

}  // namespace fusebox::sim
