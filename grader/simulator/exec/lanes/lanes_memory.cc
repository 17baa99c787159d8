#include <array>
#include <cstring>
#include <type_traits>

#include "grader/simulator/exec/access.h"
#include "grader/simulator/exec/block.h"
#include "grader/simulator/exec/lanes/lanes.h"
#include "grader/simulator/exec/page_journal.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/lanes/each_lane.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

constexpr std::uint64_t kAllGood = 0x0303030303030303ull, kAllLive = 0x0101010101010101ull;

// In fours where the compiler, left to itself, goes one by one.
using Four [[gnu::vector_size(32)]] = std::uint64_t;

[[gnu::always_inline]] inline std::uint64_t any_bit(const Four& four) {
  return four[0] | four[1] | four[2] | four[3];
}

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
  std::uint32_t word = 0, good = 0, live = 0;
  std::memcpy(&word, shadow, bytes);
  std::memcpy(&good, &kAllGood, bytes);
  std::memcpy(&live, &kAllLive, bytes);
  return kStore ? (word & live) == live : word == good;
}

/// Is something read that nobody wrote? Not where compilers copy a struct with padding in one piece: when
/// some of it was written, then neither the rest of an element that was written in part, nor an element that
/// is only stored again (`copied`).
bool reads_undefined(const std::uint8_t* shadow, std::uint32_t bytes, std::uint32_t element,
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
bool copies_part(const Warp& w, const Step& s, const std::uint8_t* shadow, std::uint64_t offset,
                 std::uint64_t size) {
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
};

[[gnu::always_inline]] inline Window window_of(Warp& w, Space space) {
  if (space == Space::shared)
    return {w.block->shared.data(), w.block->shared_shadow.data(), 0, w.block->shared.size()};
  GlobalMemory& memory = *w.block->launch->memory;
  AddressRange range = memory.range();
  return {reinterpret_cast<std::uint8_t*>(range.begin), memory.shadow(range.begin), range.begin,
          range.bytes - 16};
}

/// Are all accesses aligned, within a few lines of each other, and everything between them good? Then none of
/// the lanes needs a closer look. Else this says nothing.
template <bool kStore>
bool all_near_and_good(const std::uint64_t* address, LaneMask mask, std::uint32_t bytes,
                       const Window& window) {
  const int first = std::countr_zero(mask);
  std::uint64_t low = address[first], high = low, all = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = address[std::countr_zero(rest)];
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
LaneMask check_lanes(Warp& w, const Step& s, LaneMask mask, const std::uint64_t* address, std::uint32_t bytes,
                     const Window& window, Space space, AccessKind kind) {
  if (all_near_and_good<kStore>(address, mask, bytes, window)) return mask;
  LaneMask allowed = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    int l = std::countr_zero(rest);
    std::uint64_t offset = address[l] - window.base;
    bool inside = offset < window.size && bytes <= window.size - offset;
    bool aligned = (address[l] & (bytes - 1)) == 0;
    if (inside && aligned && shadow_ok<kStore>(window.shadow + offset, bytes)) {
      allowed |= LaneMask{1} << l;
      continue;
    }
    if (!aligned) {
      raise_fault(w, s, FaultKind::misaligned, l, space, kind, address[l], bytes);
    } else if (inside && !kStore && shadow_ok<true>(window.shadow + offset, bytes)) {
      if (reads_undefined(window.shadow + offset, bytes, s.bytes, s.elements > 1 ? s.extra : 0) &&
          !copies_part(w, s, window.shadow, offset, window.size))
        raise_fault(w, s, FaultKind::uninitialised_read, l, space, kind, address[l], bytes);
      allowed |= LaneMask{1} << l;
    } else {
      raise_fault(w, s, FaultKind::out_of_bounds, l, space, kind, address[l], bytes);
    }
  }
  return allowed;
}

template <class E, class R, bool kSigned>
inline R extend(E value) {
  if constexpr (kSigned)
    return static_cast<R>(static_cast<std::make_signed_t<R>>(static_cast<std::make_signed_t<E>>(value)));
  else
    return static_cast<R>(value);
}

template <class E, class R, bool kSigned>
void fetch(Warp& w, const Step& s, LaneMask mask, const std::uint64_t* address, const std::uint8_t* data,
           std::uint64_t base) {
  for (std::uint32_t k = 0; k < s.elements; ++k) {
    if (s.data[k] == kNoOperand) continue;
    R* d = w.lanes_of<R>(s.data[k]);
    const std::uint8_t* from = data + k * sizeof(E);
    each_lane(mask, [=](int l) {
      E value;
      std::memcpy(&value, from + (address[l] - base), sizeof(E));
      d[l] = extend<E, R, kSigned>(value);
    });
  }
}

/// The same bytes for all 32 lanes.
template <class E, class R, bool kSigned>
void fetch_one(Warp& w, const Step& s, const void* from) {
  for (std::uint32_t k = 0; k < s.elements; ++k) {
    if (s.data[k] == kNoOperand) continue;
    E value;
    std::memcpy(&value, static_cast<const std::uint8_t*>(from) + k * sizeof(E), sizeof(E));
    const R extended = extend<E, R, kSigned>(value);
    R* d = w.lanes_of<R>(s.data[k]);
    for (int l = 0; l < kWarpSize; ++l) d[l] = extended;
  }
}

template <class E, class R, bool kSigned>
[[gnu::always_inline]] inline void load_window(Warp& w, const Step& s, LaneMask mask,
                                               const std::uint64_t* address, Space space, Shape shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  Window window = window_of(w, space);
  std::uint64_t first = address[0] - window.base;
  const std::uint32_t span = shape == Shape::unit ? 32 * bytes : bytes;
  if (shape != Shape::any && first < window.size && span <= window.size - first &&
      shadow_ok<false>(window.shadow + first, span)) {
    if (shape == Shape::broadcast)
      fetch_one<E, R, kSigned>(w, s, window.data + first);
    else if (s.elements == 1 && sizeof(E) == sizeof(R))
      std::memcpy(w.lanes_of<R>(s.data[0]), window.data + first, 32 * sizeof(E));
    else
      fetch<E, R, kSigned>(w, s, mask, address, window.data, window.base);
  } else {
    const LaneMask all = mask;
    mask = check_lanes<false>(w, s, mask, address, bytes, window, space, AccessKind::load);
    if (mask != all) shape = Shape::any;
    fetch<E, R, kSigned>(w, s, mask, address, window.data, window.base);
  }
  tell_access(w, s, space, AccessKind::load, bytes, mask, address, shape);
}

template <class E, class R>
[[gnu::always_inline]] inline void store_window(Warp& w, const Step& s, LaneMask mask,
                                                const std::uint64_t* address, Space space, Shape shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  Window window = window_of(w, space);
  std::uint64_t first = address[0] - window.base;
  bool together = shape == Shape::unit && first < window.size && 32 * bytes <= window.size - first;
  // Bytes that nobody had written have no value that could stay the same.
  LaneMask defined = together && shadow_ok<false>(window.shadow + first, 32 * bytes) ? ~LaneMask{0} : 0;
  together = defined != 0 || (together && shadow_ok<true>(window.shadow + first, 32 * bytes));
  PageJournal* journal = space == Space::global ? w.block->launch->journal : nullptr;
  if (together) {
    if (journal != nullptr) journal->save(address[0], 32 * bytes);
    if (defined == 0) std::memset(window.shadow + first, GlobalMemory::kGood, 32 * bytes);
  } else {
    const LaneMask all = mask;
    mask = check_lanes<true>(w, s, mask, address, bytes, window, space, AccessKind::store);
    if (mask != all) shape = Shape::any;
    static constexpr std::array<std::uint8_t, 16> kAllGood = [] {
      std::array<std::uint8_t, 16> good{};
      for (std::uint8_t& byte : good) byte = GlobalMemory::kGood;
      return good;
    }();
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      if (journal != nullptr) journal->save(address[l], bytes);
      std::uint8_t* shadow = window.shadow + (address[l] - window.base);
      defined |= LaneMask{std::memcmp(shadow, kAllGood.data(), bytes) == 0} << l;
      std::memset(shadow, GlobalMemory::kGood, bytes);
    }
  }
  LaneMask unchanged = 0;
  if (together && sizeof(E) == sizeof(R)) {
    std::uint8_t* to = window.data + first;
    if (s.elements == 1) {
      const E* before = reinterpret_cast<const E*>(to);
      const R* after = w.lanes_of<R>(s.data[0]);
      unchanged = mask_of([=](int l) { return before[l] == after[l]; });
      std::memcpy(to, after, 32 * sizeof(E));
    } else {
      E after[4 * kWarpSize];
      for (std::uint32_t k = 0; k < s.elements; ++k) {
        const R* from = w.lanes_of<R>(s.data[k]);
        for (std::uint32_t l = 0; l < kWarpSize; ++l) after[l * s.elements + k] = static_cast<E>(from[l]);
      }
      for (std::uint32_t l = 0; l < kWarpSize; ++l)
        unchanged |= LaneMask{std::memcmp(to + l * bytes, after + l * s.elements, bytes) == 0} << l;
      std::memcpy(to, after, 32 * bytes);
    }
  } else {
    // Lane by lane, so that of several lanes on one address the highest wins, always.
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      int l = std::countr_zero(rest);
      bool same = true;
      for (std::uint32_t k = 0; k < s.elements; ++k) {
        E value = static_cast<E>(w.lanes_of<R>(s.data[k])[l]);
        std::uint8_t* to = window.data + (address[l] - window.base) + k * sizeof(E);
        same = same && std::memcmp(to, &value, sizeof(E)) == 0;
        std::memcpy(to, &value, sizeof(E));
      }
      unchanged |= LaneMask{same} << l;
    }
  }
  tell_access(w, s, space, AccessKind::store, bytes, mask, address, shape, unchanged & defined);
}

// Local memory and kernel parameters: no shadow, but bounds all the same.
template <class E, class R, bool kSigned>
void load_local(Warp& w, const Step& s, LaneMask mask, const std::uint64_t* address, Space space,
                Shape shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  const auto& arguments = w.block->launch->arguments;
  // Nearly always all lanes read one parameter.
  if (space == Space::param && shape == Shape::broadcast && address[0] < arguments.size() &&
      bytes <= arguments.size() - address[0])
    return fetch_one<E, R, kSigned>(w, s, arguments.data() + address[0]);
  LaneMask allowed = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    int l = std::countr_zero(rest);
    std::uint64_t size = space == Space::param ? arguments.size() : w.local_bytes;
    if (address[l] >= size || bytes > size - address[l]) {
      raise_fault(w, s, FaultKind::out_of_bounds, l, space, AccessKind::load, address[l], bytes);
      continue;
    }
    if (address[l] & (bytes - 1)) {
      raise_fault(w, s, FaultKind::misaligned, l, space, AccessKind::load, address[l], bytes);
      continue;
    }
    allowed |= LaneMask{1} << l;
    const void* from = space == Space::param
                           ? static_cast<const void*>(arguments.data() + address[l])
                           : w.local.data() + static_cast<std::size_t>(l) * w.local_bytes + address[l];
    for (std::uint32_t k = 0; k < s.elements; ++k) {
      E value;
      std::memcpy(&value, static_cast<const std::byte*>(from) + k * sizeof(E), sizeof(E));
      if (s.data[k] != kNoOperand) w.lanes_of<R>(s.data[k])[l] = extend<E, R, kSigned>(value);
    }
  }
  if (space == Space::local) tell_access(w, s, space, AccessKind::load, bytes, allowed, address);
}

template <class E, class R>
void store_local(Warp& w, const Step& s, LaneMask mask, const std::uint64_t* address, Space space) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  LaneMask allowed = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    int l = std::countr_zero(rest);
    std::uint64_t size = space == Space::local ? w.local_bytes : 0;  // parameters are read-only
    if (address[l] >= size || bytes > size - address[l]) {
      raise_fault(w, s, FaultKind::out_of_bounds, l, space, AccessKind::store, address[l], bytes);
      continue;
    }
    if (address[l] & (bytes - 1)) {
      raise_fault(w, s, FaultKind::misaligned, l, space, AccessKind::store, address[l], bytes);
      continue;
    }
    allowed |= LaneMask{1} << l;
    unsigned char* to = w.local.data() + static_cast<std::size_t>(l) * w.local_bytes + address[l];
    for (std::uint32_t k = 0; k < s.elements; ++k) {
      E value = static_cast<E>(w.lanes_of<R>(s.data[k])[l]);
      std::memcpy(to + k * sizeof(E), &value, sizeof(E));
    }
  }
  tell_access(w, s, Space::local, AccessKind::store, bytes, allowed, address);
}

/// The addresses of a full warp, and how they lie. `A` is the register's type: shared addresses may be 32
/// bits wide, and wrap there.
template <class A>
[[gnu::always_inline]] inline Shape all_addresses(const A* base, A offset, std::uint32_t bytes,
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
  if (any_bit(different) != 0 || (first & (bytes - 1)) != 0) return Shape::any;
  return stride == bytes ? Shape::unit : stride == 0 ? Shape::broadcast : Shape::any;
}

/// The lanes' addresses, and how they lie: for a shape but `any` the first is a multiple of `bytes`.
[[gnu::always_inline]] inline Shape addresses(Warp& w, const Step& s, LaneMask mask, std::uint32_t bytes,
                                              std::uint64_t* address) {
  const auto offset = static_cast<std::uint64_t>(s.immediate);
  const auto narrow = static_cast<std::uint32_t>(offset);
  const bool wide = s.address_width == 8;
  if (mask == ~LaneMask{0})
    return wide ? all_addresses(w.lanes_of<std::uint64_t>(s.a), offset, bytes, address)
                : all_addresses(w.lanes_of<std::uint32_t>(s.a), narrow, bytes, address);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    address[l] =
        wide ? w.lanes_of<std::uint64_t>(s.a)[l] + offset : w.lanes_of<std::uint32_t>(s.a)[l] + narrow;
  }
  return Shape::any;
}

/// Calls access(space, lanes) for each space that a generic address points into, its window's base taken off.
template <class F>
void by_space(LaneMask mask, std::uint64_t* address, F access) {
  LaneMask global = 0, shared = 0, local = 0, param = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    int l = std::countr_zero(rest);
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

/// Constants are global memory too.
bool has_shadow(Space space) { return space != Space::local && space != Space::param; }

/// Generic addresses, local memory and parameters; apart, so that those pay nothing for it.
template <class E, class R, bool kSigned>
[[gnu::noinline]] void load_elsewhere(Warp& w, const Step& s, LaneMask mask, std::uint64_t* address,
                                      Shape shape) {
  const auto access = [&](Space space, LaneMask lanes) {
    const Shape here = lanes == mask ? shape : Shape::any;
    if (has_shadow(space))
      load_window<E, R, kSigned>(w, s, lanes, address, space, here);
    else
      load_local<E, R, kSigned>(w, s, lanes, address, space, here);
  };
  if (s.generic)
    by_space(mask, address, access);
  else
    access(s.space, mask);
}

template <class E, class R, bool kSigned>
void load(Warp& w, const Step& s, LaneMask mask) {
  alignas(32) std::uint64_t address[kWarpSize];
  const Shape shape = addresses(w, s, mask, static_cast<std::uint32_t>(sizeof(E)) * s.elements, address);
  if (!s.generic && has_shadow(s.space))
    load_window<E, R, kSigned>(w, s, mask, address, s.space, shape);
  else
    load_elsewhere<E, R, kSigned>(w, s, mask, address, shape);
}

template <class E, class R>
[[gnu::noinline]] void store_elsewhere(Warp& w, const Step& s, LaneMask mask, std::uint64_t* address,
                                       Shape shape) {
  const auto access = [&](Space space, LaneMask lanes) {
    if (has_shadow(space))
      store_window<E, R>(w, s, lanes, address, space, lanes == mask ? shape : Shape::any);
    else
      store_local<E, R>(w, s, lanes, address, space);
  };
  if (s.generic)
    by_space(mask, address, access);
  else
    access(s.space, mask);
}

template <class E, class R>
void store(Warp& w, const Step& s, LaneMask mask) {
  alignas(32) std::uint64_t address[kWarpSize];
  const Shape shape = addresses(w, s, mask, static_cast<std::uint32_t>(sizeof(E)) * s.elements, address);
  if (!s.generic && has_shadow(s.space))
    store_window<E, R>(w, s, mask, address, s.space, shape);
  else
    store_elsewhere<E, R>(w, s, mask, address, shape);
}

template <class E, class R>
Handler load_as(const Step& s) {
  if constexpr (sizeof(E) > sizeof(R))
    return nullptr;
  else
    return s.sign_extend && sizeof(E) < sizeof(R) ? load<E, R, true> : load<E, R, false>;
}
template <class E>
Handler load_element(const Step& s) {
  switch (s.width) {
    case 2:
      return load_as<E, std::uint16_t>(s);
    case 4:
      return load_as<E, std::uint32_t>(s);
    case 8:
      return load_as<E, std::uint64_t>(s);
    default:
      return nullptr;
  }
}
template <class E, class R>
Handler store_as() {
  if constexpr (sizeof(E) > sizeof(R))
    return nullptr;
  else
    return store<E, R>;
}
template <class E>
Handler store_element(const Step& s) {
  switch (s.width) {
    case 2:
      return store_as<E, std::uint16_t>();
    case 4:
      return store_as<E, std::uint32_t>();
    case 8:
      return store_as<E, std::uint64_t>();
    default:
      return nullptr;
  }
}

}  // namespace

Handler load_handler(const Step& s) {
  switch (s.bytes) {
    case 1:
      return load_element<std::uint8_t>(s);
    case 2:
      return load_element<std::uint16_t>(s);
    case 4:
      return load_element<std::uint32_t>(s);
    case 8:
      return load_element<std::uint64_t>(s);
    default:
      return nullptr;
  }
}

Handler store_handler(const Step& s) {
  switch (s.bytes) {
    case 1:
      return store_element<std::uint8_t>(s);
    case 2:
      return store_element<std::uint16_t>(s);
    case 4:
      return store_element<std::uint32_t>(s);
    case 8:
      return store_element<std::uint64_t>(s);
    default:
      return nullptr;
  }
}

}  // namespace fusebox::sim::FUSEBOX_ISA
