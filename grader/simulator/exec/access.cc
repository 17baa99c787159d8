#include "grader/simulator/exec/access.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/page_journal.h"

namespace fusebox::sim {

Space space_of_generic(std::uint64_t& address) {
  if (address - kSharedWindow < kWindowBytes) return address -= kSharedWindow, Space::shared;
  if (address - kLocalWindow < kWindowBytes) return address -= kLocalWindow, Space::local;
  if (address - kParamWindow < kWindowBytes) return address -= kParamWindow, Space::param;
  return Space::global;
}

std::uint8_t* raw_bytes(Warp& w, int lane, Space space, std::uint64_t address, std::uint64_t bytes,
                        std::uint8_t** shadow) {
  auto inside = [&](std::uint64_t size) { return address < size && bytes <= size - address; };
  if (shadow != nullptr) *shadow = nullptr;
  if (space == Space::shared) {
    Block& block = *w.block;
    if (!inside(block.shared.size())) return nullptr;
    if (shadow != nullptr) *shadow = block.shared_shadow.data() + address;
    return block.shared.data() + address;
  }
  if (space == Space::local)
    return inside(w.local_bytes) ? w.local.data() + static_cast<std::size_t>(lane) * w.local_bytes + address
                                 : nullptr;
  if (space == Space::param) return nullptr;
  GlobalMemory& memory = *w.block->launch->memory;
  if (!memory.in_range(address) || (bytes > 16 && !memory.in_range(address + bytes - 16))) return nullptr;
  if (shadow != nullptr) *shadow = memory.shadow(address);
  return reinterpret_cast<std::uint8_t*>(GlobalMemory::data(address));
}

std::uint8_t* checked_bytes(Warp& w, const Step& s, int lane, Space space, std::uint64_t address,
                            std::uint32_t bytes, std::uint32_t align, AccessKind kind) {
  auto fail = [&](FaultKind fault) {
    raise_fault(w, s, fault, lane, space, kind, address, bytes);
    return nullptr;
  };
  if (address % align != 0) return fail(FaultKind::misaligned);
  std::uint8_t* shadow = nullptr;
  std::uint8_t* data = raw_bytes(w, lane, space, address, bytes, &shadow);
  if (data == nullptr) return fail(FaultKind::out_of_bounds);
  if (shadow == nullptr) return data;
  if (std::any_of(shadow, shadow + bytes, [](std::uint8_t b) { return (b & GlobalMemory::kLive) == 0; }))
    return fail(FaultKind::out_of_bounds);
  if (kind == AccessKind::store) {
    if (PageJournal* journal = w.block->launch->journal; journal != nullptr && space == Space::global)
      journal->save(address, bytes);
    std::memset(shadow, GlobalMemory::kGood, bytes);
  } else if (std::any_of(shadow, shadow + bytes, [](std::uint8_t b) { return b != GlobalMemory::kGood; })) {
    fail(FaultKind::uninitialised_read);
  }
  return data;
}

}  // namespace fusebox::sim
