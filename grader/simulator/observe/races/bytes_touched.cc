#include "grader/simulator/observe/races/bytes_touched.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {

void BytesTouched::access(const WarpAccess& access) {
  if (access.space != Space::global) return;
  for_each_lane(access.lanes, [&](int lane) { add(access.kind, access.address[lane], access.bytes); });
}

void BytesTouched::add(AccessKind kind, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    if (last_ == nullptr || last_index_ != address / kPage) {
      last_index_ = address / kPage;
      last_ = &pages_[last_index_];
    }
    const std::uint64_t at = address % kPage, bit = at % 64;
    const std::uint64_t many = std::min<std::uint64_t>(64 - bit, end - address);
    const std::uint64_t mask = many == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << many) - 1) << bit;
    last_->touched[static_cast<std::size_t>(kind)][at / 64] |= mask;
    address += many;
  }
}

std::optional<BytesTouched::Meeting> BytesTouched::meets(const BytesTouched& other) const {
  constexpr AccessKind kKinds[] = {AccessKind::store, AccessKind::atomic, AccessKind::load};
  for (const auto& [index, mine] : pages_) {
    const auto found = other.pages_.find(index);
    if (found == other.pages_.end()) continue;
    for (std::size_t word = 0; word < kPage / 64; ++word) {
      std::optional<Meeting> lowest;
      for (const AccessKind a : kKinds)
        for (const AccessKind b : kKinds) {
          if (a == b && a != AccessKind::store) continue;
          const std::uint64_t both = mine.touched[static_cast<std::size_t>(a)][word] &
                                     found->second.touched[static_cast<std::size_t>(b)][word];
          if (both == 0) continue;
          const std::uint64_t address =
              index * kPage + word * 64 + static_cast<std::uint64_t>(std::countr_zero(both));
          if (!lowest || address < lowest->address) lowest = {address, a, b};
        }
      if (lowest) return lowest;
    }
  }
  return std::nullopt;
}

}  // namespace fusebox::sim
