#include <algorithm>
#include <bit>

#include "grader/simulator/observe/races/races.h"
#include "grader/simulator/observe/requests/lanes.h"

// Blocks of a cluster in each other's shared memory, and bulk copies.

namespace fusebox::sim {

/// An access to the shared memory of another block: that must be known to have begun, and must know of the
/// access before it ends. Null, with the fault reported: it has ended.
Races::BlockState* Races::use_remotely(BlockState& own, const WarpAccess& access) {
  const auto owner = static_cast<std::uint64_t>(access.owner);
  BlockState* target = find_state(owner);
  const auto fault_of = [&](int lane, RawFault::Other::Life life) {
    RawFault fault = race_of(access, lane, access.address[lane]);
    fault.other = {
        .instruction = access.instruction, .function = access.warp.function, .block = owner, .life = life};
    return fault;
  };
  for_each_lane(access.lanes, [&](int lane) {
    const bool begun = own.met_cluster || own.order.knows_block(access.warp.warp, lane, owner);
    if (log_ != nullptr && (target == nullptr || !begun))
      log_->add(fault_of(lane, begun ? RawFault::Other::Life::ends : RawFault::Other::Life::begins));
  });
  if (target == nullptr) return nullptr;
  const Epoch epoch = own.order.warp(access.warp.warp).epoch;
  const std::uint32_t first_thread = access.warp.warp * kWarpSize;
  const auto known = std::find_if(target->uses.rbegin(), target->uses.rend(), [&](const auto& use) {
    return use.epoch == epoch && use.fault.block == access.warp.block &&
           use.fault.thread / kWarpSize == access.warp.warp && use.fault.instruction == access.instruction &&
           use.fault.function == access.warp.function;
  });
  // Of what is not kept nothing is told at the end.
  constexpr std::size_t kMaxUses = 1024;
  if (known != target->uses.rend()) {
    known->lanes |= access.lanes;
  } else if (target->uses.size() < kMaxUses) {
    BlockState::RemoteUse& use = target->uses.emplace_back();
    use.fault = fault_of(std::countr_zero(access.lanes), RawFault::Other::Life::ends);
    use.fault.thread = first_thread + static_cast<std::uint32_t>(std::countr_zero(access.lanes));
    use.lanes = access.lanes;
    use.epoch = epoch;
  }
  return target;
}

/// What other blocks did to the shared memory of one that ends, and none of its threads knows of.
void Races::report_unknown_uses(BlockState& state) {
  if (log_ == nullptr || publications_.exhausted()) return;
  for (BlockState::RemoteUse& use : state.uses) {
    const std::uint32_t first_thread = use.fault.thread / kWarpSize * kWarpSize;
    LaneMask unknown = 0;
    for_each_lane(use.lanes, [&](int lane) {
      const bool known = state.order.someone_knows(
          use.fault.block, first_thread + static_cast<std::uint32_t>(lane), use.epoch);
      unknown |= LaneMask{!known} << lane;
    });
    if (unknown == 0) continue;
    use.fault.thread = first_thread + static_cast<std::uint32_t>(std::countr_zero(unknown));
    use.fault.count = lane_count(unknown);
    log_->add(use.fault);
  }
}

void Races::remote_access(const WarpAccess& access) {
  if (publications_.exhausted()) return;
  BlockState& own = state_of(access.warp.block);
  BlockState* target = use_remotely(own, access);
  if (target == nullptr) return;
  if (access.order != Order::weak) synchronise(own, access);
  WarpAccess rest = access;
  rest.pattern = AddressPattern::any;
  rest.lanes &= ~report_overlapping(&target->copies, access);
  LaneMask told = 0;
  if (rest.lanes != 0) shadow_.look(rest, target->shadow, own.order, told);
}

/// Lanes use an mbarrier of another block.
void Races::remote_mbarrier(const WarpAccess& access, MbarrierUse use) {
  if (publications_.exhausted()) return;
  BlockState& own = state_of(access.warp.block);
  BlockState* target = use_remotely(own, access);
  if (target == nullptr) return;
  LaneMask told = 0;
  shadow_.look(access, target->shadow, own.order, told);
  if (use != MbarrierUse::arrive) return;
  own.order.fence(access.warp.warp, access.lanes, Order::release, Scope::cluster);
  for_each_lane(access.lanes, [&](int lane) {
    own.order.synchronise(access.warp.warp, lane, false, true, false, Space::global,
                          place_in_shared(target->order.block(), access.address[lane]));
  });
}

void Races::cluster_barrier(std::span<const std::uint64_t> blocks) {
  // Every block meets, one thread of each hands on what all knew, and every block meets again.
  const auto all_meet = [&] {
    for (const std::uint64_t block : blocks) state_of(block).order.barrier_complete(0, {}, true);
  };
  all_meet();
  for (const std::uint64_t block : blocks) {
    BlockState& state = state_of(block);
    state.shadow.all_met();
    state.uses.clear();
    state.met_cluster = true;
  }
  if (blocks.size() < 2) return;
  constexpr std::uint64_t kNoOffset = (1 << 24) - 1;  // further than shared memory goes
  const std::uint64_t place = place_in_shared(blocks.front(), kNoOffset);
  for (const std::uint64_t block : blocks) {
    state_of(block).order.fence(0, 1, Order::release, Scope::cluster);
    state_of(block).order.synchronise(0, 0, false, true, false, Space::global, place);
  }
  for (const std::uint64_t block : blocks)
    state_of(block).order.synchronise(0, 0, true, false, false, Space::global, place);
  all_meet();
}

void Races::bulk_access(const WarpAccess& part, int lane) {
  if (publications_.exhausted()) return;
  BlockState& state = state_of(part.warp.block);
  std::uint64_t address[kWarpSize];
  WarpAccess one = part;
  one.lanes = LaneMask{1} << lane;
  one.address = address;
  state.order.warp(part.warp.warp).meetings = 0;
  const bool shared = part.space == Space::shared;
  BlockState* target = &state;
  if (part.owner >= 0) {
    address[lane] = part.address[0];
    target = use_remotely(state, one);
    if (target == nullptr) return;
  }
  const bool may_overlap = (shared && target->copies.any()) || bulk_ends_.may_overlap(part);
  LaneMask told = 0;
  for_each_lane(part.lanes, [&](int grain) {
    address[lane] = part.address[grain];
    if (shared && target->operands.used() && report_multiplied(target->operands, one) != 0) return;
    if (!may_overlap || report_overlapping(shared ? &target->copies : nullptr, one) == 0)
      shadow_.look(one, target->shadow, state.order, told);
  });
  if (shared && part.kind == AccessKind::store && part.completes >= 0) target->copies.begin_bulk(part, lane);
  bulk_ends_.begin(part, lane);
}

/// What was read or written until now, as far as others need to be ordered behind the wait and not behind the
/// request.
void Races::look_again(const BulkEnds::End& end) {
  BlockState& state = state_of(end.warp.block);
  std::uint64_t address[kWarpSize];
  WarpAccess one;
  one.space = end.space;
  one.kind = end.kind;
  one.bytes = 16;
  one.lanes = LaneMask{1} << end.lane;
  one.instruction = end.asked.instruction;
  one.warp = end.warp;
  one.address = address;
  if (one.kind == AccessKind::atomic) one.order = Order::relaxed;
  state.order.warp(end.warp.warp).meetings = 0;
  LaneMask told = 0;
  for (std::uint64_t at = 0; at < end.to - end.from; at += one.bytes) {
    address[end.lane] = end.offset + at;
    shadow_.look(one, state.shadow, state.order, told);
  }
}

void Races::bulk_copies(const WarpId& id, LaneMask lanes, CopyUse use, std::uint32_t left) {
  if (bulk_ends_.empty() || publications_.exhausted()) return;
  for_each_lane(lanes, [&](int lane) {
    if (use == CopyUse::commit) return bulk_ends_.commit(id, lane);
    for (const BulkEnds::End& end : bulk_ends_.wait(id, lane, left, use == CopyUse::wait_read))
      look_again(end);
  });
}

}  // namespace fusebox::sim
