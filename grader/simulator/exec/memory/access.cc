#include "grader/simulator/exec/memory/access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/exec/memory/undo_log.h"

namespace fusebox::sim {

Space space_of_generic(std::uint64_t& address) {
  if (in_shared_window(address)) return address -= kSharedWindow, Space::shared;
  if (address - kLocalWindow < kWindowBytes) return address -= kLocalWindow, Space::local;
  if (address - kParamWindow < kWindowBytes) return address -= kParamWindow, Space::param;
  return Space::global;
}

Bytes reach_bytes(Warp& w, const DecodedInstruction& s, int lane, const Place& place, const Claim& claim) {
  const auto fail = [&](FaultKind fault, std::uint64_t address) {
    raise_fault(w, s, fault, lane,
                {place.space, claim.kind, address, claim.piece != 0 ? claim.piece : claim.bytes});
    return Bytes{};
  };
  if ((place.address & (claim.align - 1)) != 0) return fail(FaultKind::misaligned, place.address);
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

Bytes use_bytes_with_care(Warp& w, const DecodedInstruction& s, int lane, Place place, Claim claim) {
  const Bytes found = reach_bytes(w, s, lane, place, claim);
  if (!found || found.shadow == nullptr) return found;
  if (claim.kind != AccessKind::store && std::any_of(found.shadow, found.shadow + claim.bytes,
                                                     [](std::uint8_t b) { return b != GlobalMemory::kGood; }))
    raise_fault(w, s, FaultKind::uninitialised_read, lane,
                {place.space, claim.kind, place.address, claim.piece != 0 ? claim.piece : claim.bytes});
  if (claim.kind == AccessKind::load) return found;
  if (UndoLog* undo_log = w.block->launch->undo_log; undo_log != nullptr && place.space == Space::global)
    undo_log->save(place.address, claim.bytes);
  std::memset(found.shadow, GlobalMemory::kGood, claim.bytes);
  return found;
}

void note_poll(Warp& w, const LanesAccess& of) {
  // Fewer may be chance.
  constexpr std::uint32_t kPolls = 32;
  const Launch& launch = *w.block->launch;
  // Those take short turns anyhow.
  if (launch.schedule || launch.cooperative) return;
  const std::uint64_t address = of.address[std::countr_zero(of.lanes)];
  std::uint64_t value = 0;
  std::memcpy(&value, GlobalMemory::data(address), std::min<std::size_t>(of.bytes, sizeof value));
  if (w.poll.address != address || w.poll.value != value) w.poll = {address, value, 0};
  if (++w.poll.times >= kPolls) w.block->polling |= std::uint32_t{1} << w.id.warp;
}

}  // namespace fusebox::sim
