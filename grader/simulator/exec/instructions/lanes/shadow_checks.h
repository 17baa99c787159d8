// Which lanes of a load or a store may go ahead. Included last, as each_lane.h is.
#pragma once

#include <cstring>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/addresses.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {

constexpr std::uint64_t kAllGood = 0x0303030303030303ull, kAllLive = 0x0101010101010101ull;

/// True when every shadow byte of [shadow, shadow + bytes) is good enough: written for a load, live for a
/// store.
template <bool kStore>
[[gnu::always_inline]] inline bool shadow_ok(const std::uint8_t* shadow, std::uint32_t bytes) {
  if (bytes >= 8) {
    std::uint32_t i = 0;
    Four bad = {};
    const auto look = [&](std::uint32_t at) {
      Four words;
      std::memcpy(&words, shadow + at, sizeof words);
      bad |= kStore ? ~words & kAllLive : words ^ kAllGood;
    };
    for (; i + 128 <= bytes; i += 128)  // a warp's 4 bytes each
      for (std::uint32_t k = 0; k < 128; k += 32) look(i + k);
    for (; i + 32 <= bytes; i += 32) look(i);
    std::uint64_t rest = any_bit(bad);
    for (; i < bytes; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, shadow + i, 8);
      rest |= kStore ? ~word & kAllLive : word ^ kAllGood;
    }
    return rest == 0;
  }
  std::uint32_t word = shadow[0];
  if (bytes == 4) std::memcpy(&word, shadow, 4);
  if (bytes == 2) word |= std::uint32_t{shadow[1]} << 8;
  const std::uint32_t all = ~std::uint32_t{0} >> (32 - 8 * bytes);
  return kStore ? (~word & kAllLive & all) == 0 : (word ^ (kAllGood & all)) == 0;
}

/// Is something read that was never written? Not where compilers copy a struct with padding in one piece:
/// when some of it was written, then neither the rest of an element that was written in part, nor an element
/// that is only stored again (`copied`).
inline bool reads_undefined(const std::uint8_t* shadow, std::uint32_t bytes, std::uint32_t element,
                            std::uint32_t copied) {
  std::uint32_t written = 0, lacking = 0;
  for (std::uint32_t at = 0, k = 0; at < bytes; at += element, ++k) {
    bool any = false;
    for (std::uint32_t byte = at; byte < at + element; ++byte) any |= shadow[byte] == GlobalMemory::kGood;
    (any ? written : lacking) |= 1u << k;
  }
  return written == 0 || (lacking & ~copied) != 0;
}

/// Does this load copy one part of a struct of which another part was written?
inline bool copies_part(const Warp& w, const DecodedInstruction& s, const std::uint8_t* shadow,
                        std::uint64_t offset, std::uint64_t size) {
  if (s.elements != 1 || s.extra == 0) return false;
  for (const std::int32_t other : w.frame->program->copied_with[s.extra - 1])
    if (const std::uint64_t at = offset + static_cast<std::uint64_t>(std::int64_t{other});
        at < size && shadow[at] == GlobalMemory::kGood)
      return true;
  return false;
}

/// One contiguous piece of simulated memory with its shadow, as the access loops see it.
struct Window {
  std::uint8_t* data = nullptr;
  std::uint8_t* shadow = nullptr;
  std::uint64_t base = 0, size = 0;  ///< addresses base .. base + size
  Space space = Space::global;
};

[[gnu::always_inline]] inline Window window_of(Warp& w, Space space) {
  if (space == Space::shared)
    return {w.block->shared.data(), w.block->shared_shadow.data(), 0, w.block->shared.size(), space};
  GlobalMemory& memory = *w.block->launch->memory;
  AddressRange range = memory.range();
  return {reinterpret_cast<std::uint8_t*>(range.begin), memory.shadow(range.begin), range.begin,
          range.bytes - 16, space};
}

/// Are all accesses aligned, within a few lines of each other, and everything between them good? Then none of
/// the lanes needs a closer look. Else this says nothing.
template <bool kStore>
bool all_near_and_good(const std::uint64_t* address, LaneMask mask, std::uint32_t bytes,
                       const Window& window) {
  const int first = std::countr_zero(mask);
  std::uint64_t low = address[first], high = low, all = 0;
  for (const int lane : lanes_in(mask)) {
    const std::uint64_t at = address[lane];
    low = at < low ? at : low;
    high = at > high ? at : high;
    all |= at;
  }
  const std::uint64_t span = (high - low + bytes + 7) & ~std::uint64_t{7}, offset = low - window.base;
  return (all & (bytes - 1)) == 0 && span <= 512 && offset < window.size && span <= window.size - offset &&
         shadow_ok<kStore>(window.shadow + offset, static_cast<std::uint32_t>(span));
}

/// Lanes whose access may go ahead; the others have raised their faults. A read of undefined bytes goes ahead
/// and is a fault.
template <bool kStore>
LaneMask check_lanes(Warp& w, const DecodedInstruction& s, LaneMask mask, const std::uint64_t* address,
                     std::uint32_t bytes, const Window& window) {
  if (all_near_and_good<kStore>(address, mask, bytes, window)) return mask;
  constexpr AccessKind kKind = kStore ? AccessKind::store : AccessKind::load;
  // Lanes far apart: what they need is asked for all at once.
  for (const int l : lanes_in(mask)) {
    const std::uint64_t offset = address[l] - window.base;
    if (offset >= window.size) continue;
    __builtin_prefetch(window.shadow + offset);
    __builtin_prefetch(window.data + offset, kStore);
  }
  LaneMask allowed = 0;
  for (const int l : lanes_in(mask)) {
    std::uint64_t offset = address[l] - window.base;
    bool inside = offset < window.size && bytes <= window.size - offset;
    bool aligned = (address[l] & (bytes - 1)) == 0;
    if (inside && aligned && shadow_ok<kStore>(window.shadow + offset, bytes)) {
      allowed |= LaneMask{1} << l;
      continue;
    }
    if (!aligned) {
      raise_fault(w, s, FaultKind::misaligned, l, {window.space, kKind, address[l], bytes});
    } else if (inside && !kStore && shadow_ok<true>(window.shadow + offset, bytes)) {
      if (reads_undefined(window.shadow + offset, bytes, s.bytes, s.elements > 1 ? s.extra : 0) &&
          !copies_part(w, s, window.shadow, offset, window.size))
        raise_fault(w, s, FaultKind::uninitialised_read, l, {window.space, kKind, address[l], bytes});
      allowed |= LaneMask{1} << l;
    } else {
      raise_fault(w, s, FaultKind::out_of_bounds, l, {window.space, kKind, address[l], bytes});
    }
  }
  return allowed;
}

}  // namespace fusebox::sim::FUSEBOX_ISA
