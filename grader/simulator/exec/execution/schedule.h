#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fusebox::sim {

/// Decides what hardware leaves open: which of several warps, fragments and blocks that may go ahead does,
/// and for how long. Without a seed: the first in order, for long. With one: any that the seed happens to
/// give; the same seed gives the same decisions, on every machine.
class Schedule {
 public:
  explicit Schedule(std::optional<std::uint64_t> seed);

  bool in_order() const { return in_order_; }
  /// 0 .. count - 1 in the order in which they get their turn in this round; valid until the next call.
  std::span<const std::uint32_t> order(std::size_t count);
  /// Warp instructions until others get their turn, at least 1.
  std::int64_t slice();
  /// Which of `count` (at least 1) goes first.
  std::size_t pick(std::size_t count);

 private:
  std::uint64_t draw();
  bool in_order_;
  std::uint64_t state_;
  std::vector<std::uint32_t> order_;
};

}  // namespace fusebox::sim
