#pragma once

#include "grader/simulator/exec/block.h"

namespace fusebox::sim {

// Memory as instructions see it; loads and stores have loops of their own and only tell_access() from here.

/// Takes a generic address apart: the space it points into, and `address` relative to that space's window.
Space space_of_generic(std::uint64_t& address);

/// The bytes behind [address, address + bytes) of global or shared memory or a lane's local memory, or null
/// when that lies outside every window. Nothing is checked but the window; `shadow`, when wanted, is null for
/// local memory.
std::uint8_t* raw_bytes(Warp& w, int lane, Space space, std::uint64_t address, std::uint64_t bytes,
                        std::uint8_t** shadow = nullptr);

/// The same for one access of lane `lane`, with its faults raised: out of bounds, misaligned for `align`, and
/// uninitialised for a load. Null when the access must not go ahead. A store's bytes are defined afterwards.
std::uint8_t* checked_bytes(Warp& w, const Step& s, int lane, Space space, std::uint64_t address,
                            std::uint32_t bytes, std::uint32_t align, AccessKind kind);

/// Tells the observers of an access; nothing when `lanes` is 0. `shape` and `unchanged` as in WarpAccess.
inline void tell_access(Warp& w, const Step& s, Space space, AccessKind kind, std::uint32_t bytes,
                        LaneMask lanes, const std::uint64_t* address, Shape shape = Shape::any,
                        LaneMask unchanged = 0, Means means = Means::lanes) {
  if (lanes == 0) return;
  const WarpAccess access = {.space = space,
                             .kind = kind,
                             .bytes = static_cast<std::uint8_t>(bytes),
                             .lanes = lanes,
                             .instruction = s.instruction,
                             .warp = w.id,
                             .address = address,
                             .shape = shape,
                             .order = s.order,
                             .scope = s.scope,
                             .means = means,
                             .unchanged = unchanged};
  w.block->report(access);
}

}  // namespace fusebox::sim
