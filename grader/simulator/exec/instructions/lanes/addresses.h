// Where the lanes of a load or a store go, and how that lies. Included last, as each_lane.h is.
#pragma once

#include <cstring>

#include "grader/simulator/exec/state/warp.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {

// In fours where the compiler, left to itself, goes one by one.
using Four [[gnu::vector_size(32)]] = std::uint64_t;

[[gnu::always_inline]] inline std::uint64_t any_bit(const Four& four) {
  return four[0] | four[1] | four[2] | four[3];
}

/// The addresses of a full warp, and how they lie. `A` is the register's type: shared addresses may be 32
/// bits wide, and wrap there.
template <class A>
[[gnu::always_inline]] inline AddressPattern all_addresses(const A* base, A offset, std::uint32_t bytes,
                                                           std::uint64_t* address) {
  using Registers [[gnu::vector_size(4 * sizeof(A))]] = A;
  const std::uint64_t first = static_cast<A>(base[0] + offset);
  const std::uint64_t stride = static_cast<A>(base[1] + offset) - first;
  Four expected = {first, first + stride, first + 2 * stride, first + 3 * stride}, different = {};
  for (int lane = 0; lane < kWarpSize; lane += 4) {
    Registers four;
    std::memcpy(&four, base + lane, sizeof four);
    const Four at = __builtin_convertvector(four + offset, Four);
    std::memcpy(address + lane, &at, sizeof at);
    different |= at ^ expected;
    expected += 4 * stride;
  }
  if (any_bit(different) != 0 || (first & (bytes - 1)) != 0) return AddressPattern::any;
  return stride == bytes ? AddressPattern::unit
         : stride == 0   ? AddressPattern::broadcast
                         : AddressPattern::any;
}

/// The lanes' addresses, and how they lie: for a shape but `any` the first is a multiple of `bytes`.
[[gnu::always_inline]] inline AddressPattern addresses(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                                       std::uint32_t bytes, std::uint64_t* address) {
  const auto offset = static_cast<std::uint64_t>(s.immediate);
  const auto narrow = static_cast<std::uint32_t>(offset);
  const bool wide = s.address_width == 8;
  if (mask == ~LaneMask{0})
    return wide ? all_addresses(w.lanes_of<std::uint64_t>(s.a), offset, bytes, address)
                : all_addresses(w.lanes_of<std::uint32_t>(s.a), narrow, bytes, address);
  for (const int l : lanes_in(mask)) {
    address[l] =
        wide ? w.lanes_of<std::uint64_t>(s.a)[l] + offset : w.lanes_of<std::uint32_t>(s.a)[l] + narrow;
  }
  return AddressPattern::any;
}

/// Calls access(space, lanes) for each space that a generic address points into, its window's base taken off.
template <class F>
void by_space(LaneMask mask, std::uint64_t* address, F access) {
  LaneMask global = 0, shared = 0, local = 0, param = 0;
  for (const int l : lanes_in(mask)) {
    LaneMask bit = LaneMask{1} << l;
    if (address[l] - kSharedWindow < kWindowBytes)
      shared |= bit, address[l] -= kSharedWindow;
    else if (address[l] - kLocalWindow < kWindowBytes)
      local |= bit, address[l] -= kLocalWindow;
    else if (address[l] - kParamWindow < kWindowBytes)
      param |= bit, address[l] -= kParamWindow;
    else
      global |= bit;
  }
  if (global) access(Space::global, global);
  if (shared) access(Space::shared, shared);
  if (local) access(Space::local, local);
  if (param) access(Space::param, param);
}

}  // namespace fusebox::sim::FUSEBOX_ISA
