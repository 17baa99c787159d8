#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/observe/races_memory.h"

// What mbarriers, bulk copies and clusters order. Accesses to the shared memory of another block are not
// looked at: races there are missed, and none is invented.

namespace fusebox::sim {
namespace {

/// A place that no buffer has, for the mbarrier at `offset` in the shared memory of `block`.
std::uint64_t place_of(std::uint64_t block, std::uint64_t offset) {
  constexpr int kOffsetBits = 24;
  return std::uint64_t{1} << 63 | block << kOffsetBits | offset;
}

}  // namespace

void Races::mbarrier(const WarpAccess& access, MbarrierUse use) {
  state_of(access.warp.block);
  warp_ = access.warp.warp;
  told_ = 0;
  BlockOrder& order = order_of(access.warp.block);
  const bool clusters = launch_.cluster.count() > 1;
  // Lanes at the same mbarrier go together.
  const auto each_place = [&](auto body) {
    for (LaneMask rest = access.lanes; rest != 0;) {
      const std::uint64_t address = access.address[std::countr_zero(rest)];
      LaneMask same = 0;
      for_each_lane(rest, [&](int lane) { same |= LaneMask{access.address[lane] == address} << lane; });
      body(address, same);
      rest &= ~same;
    }
  };
  if ((use == MbarrierUse::wait || use == MbarrierUse::count) && now_->flying.any())
    for_each_lane(access.lanes, [&](int lane) { now_->flying.landed_in_bulk(access.address[lane]); });
  // Before it is looked at: a lane that has seen the phase complete knows of those that made the barrier.
  if (use == MbarrierUse::wait)
    each_place([&](std::uint64_t address, LaneMask lanes) {
      order.mbarrier_wait(warp_, lanes, address);
      if (clusters)
        for_each_lane(lanes, [&](int lane) {
          order.synchronise(warp_, lane, true, false, false, Space::global,
                            place_of(access.warp.block, address));
        });
    });
  order.warp(warp_).meetings = 0;
  look(access);
  if (use == MbarrierUse::arrive)
    each_place([&](std::uint64_t address, LaneMask lanes) { order.mbarrier_arrive(warp_, lanes, address); });
}

void Races::arrive_in_cluster(const WarpId& id, LaneMask lanes, const std::uint64_t* block,
                              const std::uint64_t* address) {
  BlockOrder& order = order_of(id.block);
  order.fence(id.warp, lanes, Order::release, Scope::cluster);
  for_each_lane(lanes, [&](int lane) {
    order.synchronise(id.warp, lane, false, true, false, Space::global, place_of(block[lane], address[lane]));
  });
}

void Races::cluster_barrier(std::span<const std::uint64_t> blocks) {
  // Every block meets, one thread of each hands on what all knew, and every block meets again.
  const auto all_meet = [&] {
    for (const std::uint64_t block : blocks) order_of(block).barrier_complete(0, {}, true);
  };
  all_meet();
  if (blocks.size() < 2) return;
  const std::uint64_t place = place_of(blocks.front(), 1);  // no mbarrier lies at an odd address
  for (const std::uint64_t block : blocks) {
    order_of(block).fence(0, 1, Order::release, Scope::cluster);
    order_of(block).synchronise(0, 0, false, true, false, Space::global, place);
  }
  for (const std::uint64_t block : blocks)
    order_of(block).synchronise(0, 0, true, false, false, Space::global, place);
  all_meet();
}

void Races::bulk_access(const WarpAccess& part, int lane) {
  state_of(part.warp.block);
  warp_ = part.warp.warp;
  told_ = 0;
  std::uint64_t address[kWarpSize];
  WarpAccess one = part;
  one.lanes = LaneMask{1} << lane;
  one.address = address;
  order_of(part.warp.block).warp(warp_).meetings = 0;
  const bool meets = part.space == Space::shared && now_->flying.any();
  for_each_lane(part.lanes, [&](int grain) {
    address[lane] = part.address[grain];
    if (!meets || meet_copies(one) == 0) look(one);
  });
  if (part.space == Space::shared && part.completes >= 0) take_off_in_bulk(part, lane);
}

}  // namespace fusebox::sim
