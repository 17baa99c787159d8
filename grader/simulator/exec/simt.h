#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "grader/report/hardware.h"

namespace fusebox::sim {

inline constexpr std::size_t kMaxWarps = 32;  ///< of a block
using LaneMask = std::uint32_t;

/// What lanes_in() gives. Always inlined: the builds of the lane loops must share no code.
class LanesIn {
 public:
  [[gnu::always_inline]] explicit constexpr LanesIn(LaneMask mask) : mask_(mask) {}

  struct End {};
  struct Iterator {
    LaneMask rest = 0;
    [[gnu::always_inline]] constexpr int operator*() const { return std::countr_zero(rest); }
    [[gnu::always_inline]] constexpr Iterator& operator++() {
      rest &= rest - 1;
      return *this;
    }
    [[gnu::always_inline]] constexpr bool operator!=(End) const { return rest != 0; }
  };
  [[gnu::always_inline]] constexpr Iterator begin() const { return {mask_}; }
  [[gnu::always_inline]] constexpr End end() const { return {}; }

 private:
  LaneMask mask_;
};

/// The lanes of a mask, lowest first: `for (const int lane : lanes_in(mask))`.
[[gnu::always_inline]] inline constexpr LanesIn lanes_in(LaneMask mask) { return LanesIn(mask); }
/// The same of a mask of a block's warps, which are 32 at most.
[[gnu::always_inline]] inline constexpr LanesIn warps_in(std::uint32_t mask) { return LanesIn(mask); }

}  // namespace fusebox::sim
