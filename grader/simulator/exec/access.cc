#include "grader/simulator/exec/access.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/cluster.h"
#include "grader/simulator/exec/page_journal.h"

namespace fusebox::sim {

Space space_of_generic(std::uint64_t& address) {
  if (in_shared_window(address)) return address -= kSharedWindow, Space::shared;
  if (address - kLocalWindow < kWindowBytes) return address -= kLocalWindow, Space::local;
  if (address - kParamWindow < kWindowBytes) return address -= kParamWindow, Space::param;
  return Space::global;
}

Place own_place(Warp& w, Space space, std::uint64_t address) {
  return {space, space == Space::shared ? w.block : nullptr, address};
}

Place cluster_place(Warp& w, Space space, std::uint64_t address) {
  Place place{space, nullptr, address};
  if (space == Space::shared) place.block = block_at(*w.block, place.address);
  return place;
}

Bytes bytes_at(Warp& w, int lane, const Place& place, std::uint64_t bytes) {
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

bool takes(Space space, AccessKind kind) {
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

Bytes reach_bytes(Warp& w, const Step& s, int lane, const Place& place, const Claim& claim) {
  const auto fail = [&](FaultKind fault, std::uint64_t address) {
    raise_fault(w, s, fault, lane, place.space, claim.kind, address,
                claim.piece != 0 ? claim.piece : claim.bytes);
    return Bytes{};
  };
  if (place.address % claim.align != 0) return fail(FaultKind::misaligned, place.address);
  if (!takes(place.space, claim.kind)) return fail(FaultKind::out_of_bounds, place.address);
  const Bytes found = bytes_at(w, lane, place, claim.bytes);
  if (!found) return fail(FaultKind::out_of_bounds, place.address);
  if (found.shadow == nullptr) return found;
  const auto is_dead = [](std::uint8_t b) { return (b & GlobalMemory::kLive) == 0; };
  const std::uint8_t* const end = found.shadow + claim.bytes;
  const std::uint8_t* const dead = std::find_if<const std::uint8_t*>(found.shadow, end, is_dead);
  if (dead == end) return found;
  // Of a long copy the first piece that is not all there.
  const auto before = static_cast<std::uint64_t>(dead - found.shadow);
  const std::uint64_t skipped = claim.piece == 0 ? 0 : before / claim.piece * claim.piece;
  return fail(FaultKind::out_of_bounds, place.address + skipped);
}

Bytes use_bytes(Warp& w, const Step& s, int lane, const Place& place, const Claim& claim) {
  const Bytes found = reach_bytes(w, s, lane, place, claim);
  if (!found || found.shadow == nullptr) return found;
  if (claim.kind != AccessKind::store && std::any_of(found.shadow, found.shadow + claim.bytes,
                                                     [](std::uint8_t b) { return b != GlobalMemory::kGood; }))
    raise_fault(w, s, FaultKind::uninitialised_read, lane, place.space, claim.kind, place.address,
                claim.piece != 0 ? claim.piece : claim.bytes);
  if (claim.kind == AccessKind::load) return found;
  if (PageJournal* journal = w.block->launch->journal; journal != nullptr && place.space == Space::global)
    journal->save(place.address, claim.bytes);
  std::memset(found.shadow, GlobalMemory::kGood, claim.bytes);
  return found;
}

}  // namespace fusebox::sim
