#pragma once

#include <cstdint>

#include "grader/simulator/exec/state/access_kind.h"

/// A space and a kind of access as one number, and the bulk copies behind them. Spaces that are not counted
/// have none.
namespace fusebox::sim::channels {

constexpr std::uint32_t kKinds = 3;
constexpr std::uint32_t kBulk = 3 * kKinds;  ///< the first of three: bulk copies, by kind
constexpr std::uint32_t kCount = kBulk + kKinds;
constexpr std::uint8_t of(Space space, AccessKind kind) {
  return static_cast<std::uint8_t>(space) * kKinds + static_cast<std::uint8_t>(kind);
}
static_assert(of(Space::global, AccessKind::load) == 0);
static_assert(of(Space::local, AccessKind::atomic) == kBulk - 1);

constexpr std::uint8_t kGlobalLoad = of(Space::global, AccessKind::load);
constexpr std::uint8_t kGlobalStore = of(Space::global, AccessKind::store);
constexpr std::uint8_t kGlobalAtomic = of(Space::global, AccessKind::atomic);
constexpr std::uint8_t kSharedLoad = of(Space::shared, AccessKind::load);
constexpr std::uint8_t kSharedStore = of(Space::shared, AccessKind::store);
constexpr std::uint8_t kSharedAtomic = of(Space::shared, AccessKind::atomic);
constexpr std::uint8_t kLocalLoad = of(Space::local, AccessKind::load);

constexpr std::uint8_t kBulkLoad = kBulk + static_cast<std::uint8_t>(AccessKind::load);
constexpr std::uint8_t kBulkStore = kBulk + static_cast<std::uint8_t>(AccessKind::store);
constexpr std::uint8_t kBulkReduce = kBulk + static_cast<std::uint8_t>(AccessKind::atomic);

constexpr bool is_global(std::uint8_t channel) {
  return channel / kKinds == static_cast<std::uint8_t>(Space::global) || channel >= kBulk;
}

}  // namespace fusebox::sim::channels
