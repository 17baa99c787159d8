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
    if (other.count_ == 0) return;
    reserve(other.last_.size());
    const std::uint8_t ours = launch_, theirs = other.launch_;
    in_chunks(last_.size(), [&](std::size_t at, std::size_t size) {
      std::uint8_t* mine = last_.data() + at;
      const std::uint8_t* added = other.last_.data() + at;
      std::uint8_t fresh = 0;  // no more than a chunk
      for (std::size_t i = 0; i < size; ++i) {
        fresh = static_cast<std::uint8_t>(fresh + ((added[i] == theirs) & (mine[i] != ours)));
        mine[i] = added[i] == theirs ? ours : mine[i];
      }
      count_ += fresh;
    });
  }
  /// Was a sector touched in both? Of the same buffer in the same launch.
  bool meets(const TouchedMap& other) const {
    if (count_ == 0 || other.count_ == 0) return false;
    const std::uint8_t ours = launch_, theirs = other.launch_;
    std::uint8_t met = 0;
    in_chunks(std::min(last_.size(), other.last_.size()), [&](std::size_t at, std::size_t size) {
      const std::uint8_t *a = last_.data() + at, *b = other.last_.data() + at;
      for (std::size_t i = 0; i < size; ++i)
        met |= static_cast<std::uint8_t>((a[i] == ours) & (b[i] == theirs));
    });
    return met != 0;
  }
  std::uint64_t count() const { return count_; }
  /// Sectors that both have touched.
  std::uint64_t count_of_both(const TouchedMap& other) const {
    if (count_ == 0 || other.count_ == 0) return 0;
    const std::uint8_t ours = launch_, theirs = other.launch_;
    std::uint64_t both = 0;
    in_chunks(std::min(last_.size(), other.last_.size()), [&](std::size_t at, std::size_t size) {
      const std::uint8_t *a = last_.data() + at, *b = other.last_.data() + at;
      std::uint8_t met = 0;  // no more than a chunk
      for (std::size_t i = 0; i < size; ++i)
        met = static_cast<std::uint8_t>(met + ((a[i] == ours) & (b[i] == theirs)));
      both += met;
    });
    return both;
  }

 private:
  /// Calls f(first, size) for all sectors, in chunks of a fixed size (but for the last), whose loops
  /// compilers turn into vectors.
  template <class F>
  static void in_chunks(std::size_t sectors, F f) {
    constexpr std::size_t kChunk = 128;
    std::size_t at = 0;
    for (; at + kChunk <= sectors; at += kChunk) f(at, kChunk);
    if (at < sectors) f(at, sectors - at);
  }

  std::vector<std::uint8_t> last_;
  std::uint64_t count_ = 0;
  std::uint8_t launch_ = 0;
};

}  // namespace fusebox::sim
