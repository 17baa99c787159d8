#pragma once

#include <cstdint>
#include <span>

namespace fusebox::sim {

/// What it costs that a launch's blocks have unequal work, over as many blocks that share it equally; 1:
/// nothing.
struct Balance {
  double sms = 1;     ///< of the busiest SM's work
  double places = 1;  ///< of the longest chain of blocks in one place of an SM
};

/// `work` of each block, in any unit, in the order in which they start: the first are dealt to the SMs in
/// turn, `resident` to each, and every later one takes the place that is free first.
Balance balance(std::span<const std::uint64_t> work, std::uint64_t sms, std::uint64_t resident);

}  // namespace fusebox::sim
