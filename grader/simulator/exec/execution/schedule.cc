#include "grader/simulator/exec/execution/schedule.h"

#include <numeric>
#include <utility>

namespace fusebox::sim {
namespace {

// A warp runs this long before others get their turn, so that one that spins on another's word lets it speak.
constexpr std::int64_t kSlice = 20'000;
// Shuffled slices are powers of two up to this one: races hide between slices that are all short or all long.
constexpr int kLongestShift = 12;

}  // namespace

Schedule::Schedule(std::optional<std::uint64_t> seed) : in_order_(!seed), state_(seed.value_or(0)) {}

// SplitMix64: written out, because the standard's distributions differ between libraries and a seed must not.
std::uint64_t Schedule::draw() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

std::span<const std::uint32_t> Schedule::order(std::size_t count) {
  if (order_.size() != count) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
  }
  if (!in_order_)
    for (std::size_t i = count; i > 1; --i) std::swap(order_[i - 1], order_[pick(i)]);
  return order_;
}

std::int64_t Schedule::slice() {
  return in_order_ ? kSlice : std::int64_t{1} << pick(static_cast<std::size_t>(kLongestShift) + 1);
}

std::size_t Schedule::pick(std::size_t count) {
  if (in_order_ || count < 2) return 0;
  return static_cast<std::size_t>(draw() % count);
}

}  // namespace fusebox::sim
