#pragma once

#include <cstring>

#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/memory/undo_log.h"
#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/exec/state/cluster.h"

namespace fusebox::sim {

// From an address to bytes. Loads and stores have loops of their own (instructions/lanes/lanes_memory.cc) and
// only notify_access() from here; whatever else touches memory asks here, lane by lane.

/// The address that a register of `width` bytes and an offset make; one of 4 bytes wraps there.
inline std::uint64_t lane_address(Warp& w, std::uint32_t base, std::uint8_t width, std::int64_t offset,
                                  int lane) {
  const auto added = static_cast<std::uint64_t>(offset);
  return width == 8 ? w.lanes_of<std::uint64_t>(base)[lane] + added
                    : (w.lanes_of<std::uint32_t>(base)[lane] + added) & 0xffffffffu;
}

/// Takes a generic address apart: the space it points into, and `address` relative to that space's window.
Space space_of_generic(std::uint64_t& address);
inline bool in_shared_window(std::uint64_t address) { return address - kSharedWindow < kWindowBytes; }

/// Where an address points.
struct Place {
  Space space = Space::global;
  Block* block = nullptr;     ///< whose shared memory; null: of a block that the cluster does not have
  std::uint64_t address = 0;  ///< global: device address; else the offset in the block's or lane's window
};

/// In shared memory: that of the warp's own block, whatever the address says.
inline Place own_place(Warp& w, Space space, std::uint64_t address) {
  return {space, space == Space::shared ? w.block : nullptr, address};
}
/// In shared memory: that of the block of the cluster that the address names.
inline Place cluster_place(Warp& w, Space space, std::uint64_t address) {
  Place place{space, nullptr, address};
  if (space == Space::shared) place.block = block_at(*w.block, place.address);
  return place;
}

struct Bytes {
  std::uint8_t* data = nullptr;
  std::uint8_t* shadow = nullptr;  ///< as in GlobalMemory; null: local memory has none
  explicit operator bool() const { return data != nullptr; }
};

/// Null when they lie outside every window. Nothing else is checked.
inline Bytes bytes_at(Warp& w, int lane, const Place& place, std::uint64_t bytes) {
  const std::uint64_t address = place.address;
  const auto inside = [&](std::uint64_t size) { return address < size && bytes <= size - address; };
  switch (place.space) {
    case Space::shared: {
      Block* block = place.block;
      if (block == nullptr || !inside(block->shared.size())) return {};
      return {block->shared.data() + address, block->shared_shadow.data() + address};
    }
    case Space::local:
      if (!inside(w.local_bytes)) return {};
      return {w.local.data() + static_cast<std::size_t>(lane) * w.local_bytes + address, nullptr};
    case Space::param:
      return {};
    case Space::global:
    case Space::constant:
      break;
  }
  GlobalMemory& memory = *w.block->launch->memory;
  if (!memory.in_range(address) || (bytes > 16 && !memory.in_range(address + bytes - 16))) return {};
  return {reinterpret_cast<std::uint8_t*>(GlobalMemory::data(address)), memory.shadow(address)};
}

/// Whether all of these shadow bytes say live and written.
[[gnu::always_inline]] inline bool all_good(const std::uint8_t* shadow, std::uint32_t bytes) {
  if (std::uint32_t word; bytes == sizeof word) {
    std::memcpy(&word, shadow, sizeof word);
    return word == 0x03030303u;
  }
  unsigned other = 0;
  for (std::uint32_t k = 0; k < bytes; ++k) other |= shadow[k] ^ unsigned { GlobalMemory::kGood };
  return other == 0;
}

/// What a lane wants of the bytes at a place. An atomic reads and writes them.
struct Claim {
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes = 0, align = 1;  ///< align: a power of two
  std::uint32_t piece = 0;             ///< of long copies: a fault names so many bytes; 0: all
};

/// Whether an access of that kind can go anywhere in that space. Parameters are loaded elsewhere, and nobody
/// but its own lane can see local memory, so that no atomic works there.
constexpr bool takes(Space space, AccessKind kind) {
  switch (space) {
    case Space::global:
    case Space::shared:
      return true;
    case Space::local:
      return kind != AccessKind::atomic;
    case Space::constant:
      return kind == AccessKind::load;
    case Space::param:
      return false;
  }
  return false;
}

/// The bytes, or null with the lane's fault raised: misaligned before out of bounds, which is all that the
/// space does not take.
Bytes reach_bytes(Warp& w, const DecodedInstruction& s, int lane, const Place& place, const Claim& claim);
/// The same, ready to be used: what is read and undefined is a fault, and goes ahead; what will be written is
/// kept in the undo log and defined.
Bytes use_bytes_with_care(Warp& w, const DecodedInstruction& s, int lane, Place place, Claim claim);
[[gnu::always_inline]] inline Bytes use_bytes(Warp& w, const DecodedInstruction& s, int lane,
                                              const Place& place, const Claim& claim) {
  // The usual case: all is written already.
  if ((place.address & (claim.align - 1)) == 0 && takes(place.space, claim.kind)) {
    const Bytes found = bytes_at(w, lane, place, claim.bytes);
    if (found.shadow != nullptr && all_good(found.shadow, claim.bytes)) {
      if (UndoLog* undo_log = w.block->launch->undo_log;
          undo_log != nullptr && claim.kind != AccessKind::load && place.space == Space::global)
        undo_log->save(place.address, claim.bytes);
      return found;
    }
  }
  return use_bytes_with_care(w, s, lane, place, claim);
}

/// An access of some lanes of a warp; the fields are those of WarpAccess.
struct LanesAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes = 0;
  LaneMask lanes = 0;
  const std::uint64_t* address = nullptr;
  AddressPattern pattern = AddressPattern::any;
  LaneMask unchanged = 0;
  AccessPath path = AccessPath::lanes;
};

inline WarpAccess warp_access(const Warp& w, const DecodedInstruction& s, const LanesAccess& of) {
  return {.space = of.space,
          .kind = of.kind,
          .bytes = static_cast<std::uint8_t>(of.bytes),
          .lanes = of.lanes,
          .instruction = s.instruction,
          .warp = w.id,
          .address = of.address,
          .pattern = of.pattern,
          .order = s.order,
          .scope = s.scope,
          .path = of.path,
          .unchanged = of.unchanged};
}

/// A volatile or atomic access that asks for what is in global memory: one that finds the same again and
/// again makes its warp one of Block::polling.
void note_poll(Warp& w, const LanesAccess& of);

/// Notifies the observers, unless no lane took part.
inline void notify_access(Warp& w, const DecodedInstruction& s, const LanesAccess& of) {
  if (of.lanes == 0) return;
  if (of.kind == AccessKind::store)
    w.poll.times = 0;
  else if (s.order != Order::weak && of.space == Space::global &&
           (of.kind == AccessKind::load || s.d != kNoOperand))
    note_poll(w, of);
  w.block->report(warp_access(w, s, of));
}

}  // namespace fusebox::sim
