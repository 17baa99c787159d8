#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace fusebox::sim {

struct Frame;
struct Program;

/// Four neighbouring warps, the first a multiple of four, that execute each wgmma instruction together.
struct Warpgroup {
  static constexpr std::uint32_t kWarps = 4;

  /// A wgmma instruction, as the first of the warps executed it. Without descriptors they are 0.
  struct Step {
    const Program* program = nullptr;
    std::uint32_t at = 0;
    std::uint64_t a = 0, b = 0;
    friend bool operator==(const Step&, const Step&) = default;
  };
  /// What a wgmma that has not been waited for does with a register.
  enum class Use : std::uint8_t { none, accumulates, reads, copy };
  struct InFlight {
    Use use = Use::none;              ///< copy: a mov took the value of one that a wgmma accumulates into
    std::uint32_t group = 0, at = 0;  ///< the wgmma's
  };
  struct Member {
    std::uint64_t steps = 0;  ///< it has executed
    bool fenced = false;      ///< since it began or last waited
    bool ever_fenced = false;
    bool waits = false;               ///< has come to a wgmma.wait_group and not passed it
    std::uint32_t groups = 0;         ///< committed
    const Frame* frame = nullptr;     ///< whose registers `in_flight` are
    std::vector<InFlight> in_flight;  ///< by slot of the register file; empty: none
  };

  std::array<Member, kWarps> members;
  std::deque<Step> steps;     ///< that not all warps have executed
  std::uint64_t dropped = 0;  ///< steps before those
};

}  // namespace fusebox::sim
