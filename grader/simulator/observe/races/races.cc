#include "grader/simulator/observe/races/races.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

/// A place that no buffer has, for the mbarrier at `offset` in the shared memory of `block`.
std::uint64_t place_of(std::uint64_t block, std::uint64_t offset) {
  constexpr int kOffsetBits = 24;
  return std::uint64_t{1} << 63 | block << kOffsetBits | offset;
}

}  // namespace

void put_races_first(std::vector<RawFault>& faults) {
  const auto line = [](const auto& f) { return f.function->instructions[f.instruction].location.line; };
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i].kind != FaultKind::uninitialised_read) continue;
    const auto from = faults.begin() + static_cast<std::ptrdiff_t>(i);
    const auto race = std::find_if(from, faults.end(), [&](const RawFault& f) {
      return f.kind == FaultKind::race && f.space == from->space &&
             (line(f) == line(*from) || line(f.other) == line(*from));
    });
    if (race != faults.end()) std::rotate(from, race, race + 1);
  }
}

Races::Races(AddressRange memory) : shadow_(memory) {}

void Races::launch_begin(const LaunchInfo& launch) {
  launch_ = launch;
  shadow_.launch_begin();
  publications_.clear();
  while (!blocks_.empty()) {  // a launch before this one was stopped
    idle_.push_back(std::move(blocks_.back()));
    blocks_.pop_back();
  }
  now_ = nullptr;
}

void Races::launch_end() { publications_.clear(); }

void Races::block_begin(std::uint64_t block) {
  if (idle_.empty()) idle_.push_back(std::make_unique<BlockState>());
  blocks_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  now_ = blocks_.back().get();
  const std::uint64_t threads = launch_.block.count();
  now_->order.begin(block, static_cast<std::uint32_t>(threads), publications_);
  now_->shadow.begin(warps_of(threads));
  now_->copies.begin_block(warps_of(threads));
}

void Races::block_end(std::uint64_t block) {
  const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const auto& state) { return state->order.block() == block; });
  if (at == blocks_.end()) return;
  idle_.push_back(std::move(*at));
  blocks_.erase(at);
  now_ = nullptr;
}

Races::BlockState& Races::state_of(std::uint64_t block) {
  if (now_ == nullptr || now_->order.block() != block)
    for (const auto& state : blocks_)
      if (state->order.block() == block) now_ = state.get();
  return *now_;
}

void Races::barrier_arrive(const WarpId& id, std::uint32_t barrier, LaneMask lanes) {
  state_of(id.block).order.barrier_arrive(id.warp, barrier, lanes);
}

void Races::barrier_complete(std::uint64_t block, std::uint32_t id, std::span<const BarrierParty> parties,
                             bool whole) {
  BlockState& state = state_of(block);
  state.order.barrier_complete(id, parties, whole);
  if (whole) state.shadow.all_met();
}

void Races::warp_sync(const WarpId& id, LaneMask lanes, bool whole) {
  state_of(id.block).order.warp_sync(id.warp, lanes, whole);
}

void Races::fence(const WarpId& id, LaneMask lanes, Order order, Scope scope) {
  state_of(id.block).order.fence(id.warp, lanes, order, scope);
}

/// Atomic and volatile accesses are what threads signal each other with.
void Races::synchronise(BlockState& state, const WarpAccess& access) {
  const std::uint32_t warp = access.warp.warp;
  const bool reads = access.kind != AccessKind::store, writes = access.kind != AccessKind::load;
  if (access.order == Order::release || access.order == Order::acquire_release)
    state.order.fence(warp, access.lanes, access.order, access.scope);
  for_each_lane(access.lanes, [&](int lane) {
    state.order.synchronise(warp, lane, reads, writes, access.kind == AccessKind::store, access.space,
                            access.address[lane]);
  });
}

/// The lanes whose access of shared memory overlaps a copy in flight.
LaneMask Races::report_overlapping(const CopiesInFlight& copies, const WarpAccess& access) {
  LaneMask found = 0;
  if (!copies.may_overlap(access)) return found;
  for_each_lane(access.lanes, [&](int lane) {
    const auto other = copies.overlapped(access, lane);
    if (!other) return;
    found |= LaneMask{1} << lane;
    RawFault fault = race_of(access, lane, access.address[lane]);
    fault.other = *other;
    if (log_ != nullptr) log_->add(fault);
  });
  return found;
}

void Races::access(const WarpAccess& access) {
  if (access.space != Space::shared && access.space != Space::global) return;
  if (publications_.exhausted()) return;  // races from here on are missed, but none is made up
  BlockState& state = state_of(access.warp.block);
  LaneMask told = 0;
  if (access.order != Order::weak) synchronise(state, access);
  // What it costs to look at those that are volatile or atomic, against an instruction.
  constexpr std::int64_t kWork = 24;
  if (log_ != nullptr && strength(access) != kWeak) log_->charge(kWork);
  if (access.space == Space::shared && (state.copies.any() || access.path == AccessPath::copy)) {
    // What overlapped a copy in flight has been told, and is not remembered.
    WarpAccess rest = access;
    rest.lanes &= ~report_overlapping(state.copies, access);
    rest.pattern = rest.lanes == kAllLanes ? access.pattern : AddressPattern::any;
    if (rest.lanes == 0) return;
    shadow_.look(rest, state.shadow, state.order, told);
    if (access.path == AccessPath::copy) state.copies.begin(rest);
    return;
  }
  shadow_.look(access, state.shadow, state.order, told);
}

void Races::copies(const WarpId& id, LaneMask lanes, CopyUse use, std::uint32_t left) {
  BlockState& state = state_of(id.block);
  for (const WarpAccess& stored : state.copies.complete(id.warp, lanes, use, left)) {
    LaneMask told = 0;
    shadow_.look(stored, state.shadow, state.order, told);
  }
}

// What mbarriers, bulk copies and clusters order. Accesses to the shared memory of another block are not
// looked at: races there are missed, and none is invented.

void Races::mbarrier(const WarpAccess& access, MbarrierUse use) {
  BlockState& state = state_of(access.warp.block);
  const std::uint32_t warp = access.warp.warp;
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
  if ((use == MbarrierUse::wait || use == MbarrierUse::count) && state.copies.any())
    for_each_lane(access.lanes, [&](int lane) { state.copies.complete_bulk(access.address[lane]); });
  // Before it is looked at: a lane that has seen the phase complete knows of those that made the
  // barrier.
  if (use == MbarrierUse::wait)
    each_place([&](std::uint64_t address, LaneMask lanes) {
      state.order.mbarrier_wait(warp, lanes, address);
      if (clusters)
        for_each_lane(lanes, [&](int lane) {
          state.order.synchronise(warp, lane, true, false, false, Space::global,
                                  place_of(access.warp.block, address));
        });
    });
  LaneMask told = 0;
  shadow_.look(access, state.shadow, state.order, told);
  if (use == MbarrierUse::arrive)
    each_place(
        [&](std::uint64_t address, LaneMask lanes) { state.order.mbarrier_arrive(warp, lanes, address); });
}

void Races::arrive_in_cluster(const WarpId& id, LaneMask lanes, const std::uint64_t* block,
                              const std::uint64_t* address) {
  HappensBefore& order = state_of(id.block).order;
  order.fence(id.warp, lanes, Order::release, Scope::cluster);
  for_each_lane(lanes, [&](int lane) {
    order.synchronise(id.warp, lane, false, true, false, Space::global, place_of(block[lane], address[lane]));
  });
}

void Races::cluster_barrier(std::span<const std::uint64_t> blocks) {
  // Every block meets, one thread of each hands on what all knew, and every block meets again.
  const auto all_meet = [&] {
    for (const std::uint64_t block : blocks) state_of(block).order.barrier_complete(0, {}, true);
  };
  all_meet();
  if (blocks.size() < 2) return;
  const std::uint64_t place = place_of(blocks.front(), 1);  // no mbarrier lies at an odd address
  for (const std::uint64_t block : blocks) {
    state_of(block).order.fence(0, 1, Order::release, Scope::cluster);
    state_of(block).order.synchronise(0, 0, false, true, false, Space::global, place);
  }
  for (const std::uint64_t block : blocks)
    state_of(block).order.synchronise(0, 0, true, false, false, Space::global, place);
  all_meet();
}

void Races::bulk_access(const WarpAccess& part, int lane) {
  BlockState& state = state_of(part.warp.block);
  std::uint64_t address[kWarpSize];
  WarpAccess one = part;
  one.lanes = LaneMask{1} << lane;
  one.address = address;
  state.order.warp(part.warp.warp).meetings = 0;
  const bool shared = part.space == Space::shared;
  const bool may_overlap = shared && state.copies.any();
  LaneMask told = 0;
  for_each_lane(part.lanes, [&](int grain) {
    address[lane] = part.address[grain];
    if (!may_overlap || report_overlapping(state.copies, one) == 0)
      shadow_.look(one, state.shadow, state.order, told);
  });
  if (shared && part.completes >= 0) state.copies.begin_bulk(part, lane);
}

}  // namespace fusebox::sim
