#include <cstring>
#include <type_traits>

#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/memory/undo_log.h"
#include "grader/simulator/exec/state/block.h"

// clang-format off: this one comes last
#include "grader/simulator/exec/instructions/lanes/shadow_checks.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/program/raise_fault.h"
// clang-format on

namespace fusebox::sim::FUSEBOX_ISA {
namespace {

template <class E, class R, bool kSigned>
inline R extend(E value) {
  if constexpr (kSigned)
    return static_cast<R>(static_cast<std::make_signed_t<R>>(static_cast<std::make_signed_t<E>>(value)));
  else
    return static_cast<R>(value);
}

template <class E, class R, bool kSigned>
void fetch(Warp& w, const DecodedInstruction& s, LaneMask mask, const std::uint64_t* address,
           const std::uint8_t* data, std::uint64_t base) {
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
void fetch_one(Warp& w, const DecodedInstruction& s, const void* from) {
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
[[gnu::always_inline]] inline void load_window(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                               const std::uint64_t* address, Space space,
                                               AddressPattern shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  Window window = window_of(w, space);
  std::uint64_t first = address[0] - window.base;
  const std::uint32_t span = shape == AddressPattern::unit ? 32 * bytes : bytes;
  if (shape != AddressPattern::any && first < window.size && span <= window.size - first &&
      shadow_ok<false>(window.shadow + first, span)) {
    if (shape == AddressPattern::broadcast)
      fetch_one<E, R, kSigned>(w, s, window.data + first);
    else if (s.elements == 1 && sizeof(E) == sizeof(R))
      std::memcpy(w.lanes_of<R>(s.data[0]), window.data + first, 32 * sizeof(E));
    else
      fetch<E, R, kSigned>(w, s, mask, address, window.data, window.base);
  } else {
    const LaneMask all = mask;
    mask = check_lanes<false>(w, s, mask, address, bytes, window);
    if (mask != all) shape = AddressPattern::any;
    fetch<E, R, kSigned>(w, s, mask, address, window.data, window.base);
  }
  notify_access(w, s, {space, AccessKind::load, bytes, mask, address, shape});
}

template <class E, class R>
[[gnu::always_inline]] inline void store_window(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                                const std::uint64_t* address, Space space,
                                                AddressPattern shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  Window window = window_of(w, space);
  std::uint64_t first = address[0] - window.base;
  bool together = shape == AddressPattern::unit && first < window.size && 32 * bytes <= window.size - first;
  // Bytes that nobody had written have no value that could stay the same.
  LaneMask defined = together && shadow_ok<false>(window.shadow + first, 32 * bytes) ? ~LaneMask{0} : 0;
  together = defined != 0 || (together && shadow_ok<true>(window.shadow + first, 32 * bytes));
  UndoLog* undo_log = space == Space::global ? w.block->launch->undo_log : nullptr;
  if (together) {
    if (undo_log != nullptr) undo_log->save(address[0], 32 * bytes);
    if (defined == 0) std::memset(window.shadow + first, GlobalMemory::kGood, 32 * bytes);
  } else {
    const LaneMask all = mask;
    mask = check_lanes<true>(w, s, mask, address, bytes, window);
    if (mask != all) shape = AddressPattern::any;
    for (const int l : lanes_in(mask)) {
      if (undo_log != nullptr) undo_log->save(address[l], bytes);
      std::uint8_t* shadow = window.shadow + (address[l] - window.base);
      defined |= LaneMask{shadow_ok<false>(shadow, bytes)} << l;
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
    for (const int l : lanes_in(mask)) {
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
  notify_access(w, s, {space, AccessKind::store, bytes, mask, address, shape, unchanged & defined});
}

// Local memory and parameters: no shadow, but bounds all the same. Of what a call hands over (`flag`) nobody
// hears.
template <class E, class R, bool kSigned>
void load_local(Warp& w, const DecodedInstruction& s, LaneMask mask, const std::uint64_t* address,
                Space space, AddressPattern shape) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  const auto& arguments = w.block->launch->arguments;
  // Nearly always all lanes read one parameter.
  if (space == Space::param && shape == AddressPattern::broadcast && address[0] < arguments.size() &&
      bytes <= arguments.size() - address[0])
    return fetch_one<E, R, kSigned>(w, s, arguments.data() + address[0]);
  LaneMask allowed = 0;
  for (const int l : lanes_in(mask)) {
    std::uint64_t size = space == Space::param ? arguments.size() : w.local_bytes;
    if (address[l] & (bytes - 1)) {
      raise_fault(w, s, FaultKind::misaligned, l, {space, AccessKind::load, address[l], bytes});
      continue;
    }
    if (address[l] >= size || bytes > size - address[l]) {
      raise_fault(w, s, FaultKind::out_of_bounds, l, {space, AccessKind::load, address[l], bytes});
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
  if (space == Space::local && !s.flag)
    notify_access(w, s, {space, AccessKind::load, bytes, allowed, address});
}

template <class E, class R>
void store_local(Warp& w, const DecodedInstruction& s, LaneMask mask, const std::uint64_t* address,
                 Space space) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(E)) * s.elements;
  LaneMask allowed = 0;
  for (const int l : lanes_in(mask)) {
    std::uint64_t size = space == Space::local ? w.local_bytes : 0;  // parameters are read-only
    if (address[l] & (bytes - 1)) {
      raise_fault(w, s, FaultKind::misaligned, l, {space, AccessKind::store, address[l], bytes});
      continue;
    }
    if (address[l] >= size || bytes > size - address[l]) {
      raise_fault(w, s, FaultKind::out_of_bounds, l, {space, AccessKind::store, address[l], bytes});
      continue;
    }
    allowed |= LaneMask{1} << l;
    unsigned char* to = w.local.data() + static_cast<std::size_t>(l) * w.local_bytes + address[l];
    for (std::uint32_t k = 0; k < s.elements; ++k) {
      E value = static_cast<E>(w.lanes_of<R>(s.data[k])[l]);
      std::memcpy(to + k * sizeof(E), &value, sizeof(E));
    }
  }
  if (!s.flag) notify_access(w, s, {Space::local, AccessKind::store, bytes, allowed, address});
}

/// Constants are global memory too.
bool has_shadow(Space space) { return space != Space::local && space != Space::param; }

/// Generic addresses, local memory and parameters; apart, so that those pay nothing for it.
template <class E, class R, bool kSigned>
[[gnu::noinline]] void load_elsewhere(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                      std::uint64_t* address, AddressPattern shape) {
  const auto access = [&](Space space, LaneMask lanes) {
    const AddressPattern here = lanes == mask ? shape : AddressPattern::any;
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
void load(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  alignas(32) std::uint64_t address[kWarpSize];
  const AddressPattern shape =
      addresses(w, s, mask, static_cast<std::uint32_t>(sizeof(E)) * s.elements, address);
  if (!s.generic && has_shadow(s.space))
    load_window<E, R, kSigned>(w, s, mask, address, s.space, shape);
  else
    load_elsewhere<E, R, kSigned>(w, s, mask, address, shape);
}

template <class E, class R>
[[gnu::noinline]] void store_elsewhere(Warp& w, const DecodedInstruction& s, LaneMask mask,
                                       std::uint64_t* address, AddressPattern shape) {
  const auto access = [&](Space space, LaneMask lanes) {
    if (has_shadow(space))
      store_window<E, R>(w, s, lanes, address, space, lanes == mask ? shape : AddressPattern::any);
    else
      store_local<E, R>(w, s, lanes, address, space);
  };
  if (s.generic)
    by_space(mask, address, access);
  else
    access(s.space, mask);
}

template <class E, class R>
void store(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  alignas(32) std::uint64_t address[kWarpSize];
  const AddressPattern shape =
      addresses(w, s, mask, static_cast<std::uint32_t>(sizeof(E)) * s.elements, address);
  if (!s.generic && has_shadow(s.space))
    store_window<E, R>(w, s, mask, address, s.space, shape);
  else
    store_elsewhere<E, R>(w, s, mask, address, shape);
}

template <class E, class R>
Handler load_as(const DecodedInstruction& s) {
  if constexpr (sizeof(E) > sizeof(R))
    return nullptr;
  else
    return s.sign_extend && sizeof(E) < sizeof(R) ? load<E, R, true> : load<E, R, false>;
}
template <class E>
Handler load_element(const DecodedInstruction& s) {
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
Handler store_element(const DecodedInstruction& s) {
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

Handler load_handler(const DecodedInstruction& s) {
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

Handler store_handler(const DecodedInstruction& s) {
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

FUSEBOX_LANES_END
