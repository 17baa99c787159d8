#include "grader/simulator/observe/races/races.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

/// Lanes at the same address go together.
template <class Body>
void each_address(const WarpAccess& access, Body body) {
  for (LaneMask rest = access.lanes; rest != 0;) {
    const std::uint64_t address = access.address[std::countr_zero(rest)];
    LaneMask same = 0;
    for_each_lane(rest, [&](int lane) { same |= LaneMask{access.address[lane] == address} << lane; });
    body(address, same);
    rest &= ~same;
  }
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
  const auto& instructions = launch.function->instructions;
  multiplies_ = std::any_of(instructions.begin(), instructions.end(),
                            [](const ptx::Instruction& i) { return i.opcode == ptx::Opcode::wgmma; });
  shadow_.launch_begin();
  publications_.clear();
  bulk_ends_.clear();
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
  now_->uses.clear();
  now_->met_cluster = false;
  now_->operands.begin_block(warps_of(threads), multiplies_);
}

void Races::block_end(std::uint64_t block) {
  const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const auto& state) { return state->order.block() == block; });
  if (at == blocks_.end()) return;
  report_unknown_uses(**at);
  bulk_ends_.end_block(block);
  idle_.push_back(std::move(*at));
  blocks_.erase(at);
  now_ = nullptr;
}

/// Null when it has ended, or has not begun.
Races::BlockState* Races::find_state(std::uint64_t block) {
  if (now_ != nullptr && now_->order.block() == block) return now_;
  const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const auto& state) { return state->order.block() == block; });
  return at == blocks_.end() ? nullptr : now_ = at->get();
}

void Races::barrier_arrive(const WarpId& id, std::uint32_t barrier, LaneMask lanes) {
  state_of(id.block).order.barrier_arrive(id.warp, barrier, lanes);
}

void Races::barrier_complete(std::uint64_t block, std::uint32_t id, std::span<const BarrierParty> parties,
                             bool whole) {
  BlockState& state = state_of(block);
  state.order.barrier_complete(id, parties, whole);
  // Other blocks of a cluster have not met them.
  if (whole && !in_clusters()) state.shadow.all_met();
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
  // What blocks of a cluster signal each other with in shared memory has a place that all of them know.
  const bool shared = access.space == Space::shared, everywhere = shared && in_clusters();
  const std::uint64_t owner = access.owner < 0 ? access.warp.block : static_cast<std::uint64_t>(access.owner);
  for_each_lane(access.lanes, [&](int lane) {
    state.order.synchronise(warp, lane, reads, writes, access.kind == AccessKind::store,
                            everywhere ? Space::global : access.space,
                            everywhere ? place_in_shared(owner, access.address[lane]) : access.address[lane]);
  });
}

/// The lanes of an access for which other_of() has what it meets too early.
template <class OtherOf>
LaneMask Races::report_met(const WarpAccess& access, OtherOf other_of) {
  LaneMask found = 0;
  for_each_lane(access.lanes, [&](int lane) {
    const std::optional<RawFault::Other> other = other_of(lane);
    if (!other) return;
    found |= LaneMask{1} << lane;
    RawFault fault = race_of(access, lane, access.address[lane]);
    fault.other = *other;
    if (log_ != nullptr) log_->add(fault);
  });
  return found;
}

/// The lanes whose access overlaps a copy in flight; `copies`: into the shared memory that it goes to; may be
/// null.
LaneMask Races::report_overlapping(const CopiesInFlight* copies, const WarpAccess& access) {
  const bool into = copies != nullptr && copies->any() && copies->may_overlap(access);
  const bool ends = bulk_ends_.may_overlap(access);
  if (!into && !ends) return 0;
  return report_met(access, [&](int lane) {
    auto other = into ? copies->overlapped(access, lane) : std::nullopt;
    if (!other && ends) other = bulk_ends_.overlapped(access, lane);
    return other;
  });
}

/// The lanes that write what a wgmma may still read.
LaneMask Races::report_multiplied(const TensorOperands& operands, const WarpAccess& access) {
  if (access.kind == AccessKind::load) return 0;
  return report_met(access, [&](int lane) { return operands.overlapped(access, lane); });
}

void Races::access(const WarpAccess& access) {
  if (access.space != Space::shared && access.space != Space::global) return;
  if (publications_.exhausted()) return;  // races from here on are missed, but none is made up
  BlockState& state = state_of(access.warp.block);
  look(state, access);
  // Behind it: what an atomic learns from those before it, at the place that they meet at, is known to what
  // its thread does next, and does not order itself behind a plain store to that place.
  if (access.order != Order::weak) synchronise(state, access);
}

void Races::look(BlockState& state, const WarpAccess& access) {
  // What it costs to look at those that are volatile or atomic, against an instruction.
  constexpr std::int64_t kWork = 24;
  if (log_ != nullptr && strength(access) != kWeak) log_->charge(kWork);
  const bool shared = access.space == Space::shared;
  LaneMask told = 0;
  if (shared && state.operands.used()) {
    if (access.path == AccessPath::tensor) state.operands.begin(access);
    told = report_multiplied(state.operands, access);
    if (told == access.lanes) return;
  }
  if (!bulk_ends_.empty() || (shared && (state.copies.any() || access.path == AccessPath::copy))) {
    // What overlapped a copy in flight has been told, and is not remembered.
    WarpAccess rest = access;
    rest.lanes &= ~report_overlapping(shared ? &state.copies : nullptr, access);
    rest.pattern = rest.lanes == kAllLanes ? access.pattern : AddressPattern::any;
    if (rest.lanes == 0) return;
    shadow_.look(rest, state.shadow, state.order, told);
    if (access.path == AccessPath::copy) state.copies.begin(rest);
    return;
  }
  shadow_.look(access, state.shadow, state.order, told);
}

void Races::warpgroup_operands(const WarpId& id, CopyUse use, std::uint32_t left) {
  state_of(id.block).operands.complete(id.warp, use, left);
}

void Races::warpgroup_met(const WarpId& id) {
  constexpr std::uint32_t kWarps = 4;
  std::array<BarrierParty, kWarps> parties;
  for (std::uint32_t i = 0; i < kWarps; ++i) parties[i] = {id.warp / kWarps * kWarps + i, kAllLanes};
  state_of(id.block).order.meet(parties);
}

void Races::copies(const WarpId& id, LaneMask lanes, CopyUse use, std::uint32_t left) {
  if (use == CopyUse::hand_over) return;  // mbarrier() has the address too
  BlockState& state = state_of(id.block);
  for (const WarpAccess& stored : state.copies.complete(id.warp, lanes, use, left)) {
    LaneMask told = 0;
    shadow_.look(stored, state.shadow, state.order, told);
  }
}

void Races::mbarrier(const WarpAccess& access, MbarrierUse use) {
  if (access.owner >= 0) return remote_mbarrier(access, use);
  BlockState& state = state_of(access.warp.block);
  const std::uint32_t warp = access.warp.warp;
  const bool clusters = in_clusters();
  if ((use == MbarrierUse::wait || use == MbarrierUse::count) && (state.copies.any() || !bulk_ends_.empty()))
    each_address(access, [&](std::uint64_t address, LaneMask) {
      state.copies.complete_at(address);
      // Who waited knows of whoever asked for the copy.
      bulk_ends_.complete_at(place_in_shared(access.warp.block, address));
    });
  // Before it is looked at: a lane that has seen the phase complete knows of those that made the
  // barrier.
  if (use == MbarrierUse::wait)
    each_address(access, [&](std::uint64_t address, LaneMask lanes) {
      state.order.mbarrier_wait(warp, lanes, address);
      if (clusters)
        for_each_lane(lanes, [&](int lane) {
          state.order.synchronise(warp, lane, true, false, false, Space::global,
                                  place_in_shared(access.warp.block, address));
        });
    });
  LaneMask told = 0;
  shadow_.look(access, state.shadow, state.order, told);
  if (use == MbarrierUse::arrive_async)
    for (const WarpAccess& stored : state.copies.hand_over(warp, access.lanes, access.address)) {
      LaneMask told_of_it = 0;
      shadow_.look(stored, state.shadow, state.order, told_of_it);
    }
  if (use == MbarrierUse::arrive || use == MbarrierUse::arrive_async)
    each_address(access, [&](std::uint64_t address, LaneMask lanes) {
      state.order.mbarrier_arrive(warp, lanes, address);
    });
}

}  // namespace fusebox::sim
