#include "grader/simulator/exec/instructions/cluster_ops.h"

#include <bit>
#include <cstring>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/cluster.h"

namespace fusebox::sim {
namespace {

std::uint64_t address_of(Warp& w, const DecodedInstruction& s, int lane) {
  return lane_address(w, s.a, s.address_width, s.immediate, lane);
}

/// Lanes of `mask` whose address names a block of the cluster; their offsets with the block's rank go into
/// `offset`.
LaneMask lanes_with_rank(Warp& w, const DecodedInstruction& s, LaneMask mask, std::uint64_t* offset) {
  LaneMask found = 0;
  for (const int l : lanes_in(mask)) {
    offset[l] = address_of(w, s, l);
    if (s.generic) {
      if (!in_shared_window(offset[l])) continue;
      offset[l] -= kSharedWindow;
    }
    if (names_a_rank(offset[l])) found |= LaneMask{1} << l;
  }
  return found;
}

/// One instruction's accesses to the shared memory of blocks of the cluster.
struct RemoteLanes {
  LanesAccess access;
  std::uint64_t offset[kWarpSize];
  Block* block[kWarpSize];

  /// The bytes of one lane, or null with its fault raised.
  std::uint8_t* bytes(Warp& w, const DecodedInstruction& s, int lane, std::uint64_t address) {
    const Place place = cluster_place(w, Space::shared, address);
    std::uint8_t* data = use_bytes(w, s, lane, place, {access.kind, access.bytes, access.bytes}).data;
    if (data == nullptr) return data;
    access.lanes |= LaneMask{1} << lane;
    offset[lane] = place.address;
    block[lane] = place.block;
    return data;
  }
};

RemoteLanes remote_lanes(const DecodedInstruction& s, AccessKind kind) {
  RemoteLanes lanes;
  lanes.access = {Space::shared, kind, std::uint32_t{s.bytes} * s.elements};
  return lanes;
}

std::uint32_t live_threads(const Cluster& cluster) {
  std::uint32_t threads = 0;
  for (const Block* block : cluster.blocks) threads += block->alive;
  return threads;
}

void complete_if_all_came(Block& block) {
  Cluster& cluster = cluster_of(block);
  // Threads that have left may have come before: more than are alive.
  if (cluster.arrived == 0 || cluster.arrived < live_threads(cluster)) return;
  cluster.arrived = 0;
  ++cluster.phase;
  std::vector<std::uint64_t> blocks;
  for (Block* each : cluster.blocks) {
    each->failed_polls = 0;
    // In a block that has ended no thread is left for which this orders anything.
    if (each->alive != 0) blocks.push_back(each->index);
  }
  if (blocks.empty()) return;
  for (Observer* observer : block.launch->observers) observer->cluster_barrier(blocks);
}

std::uint32_t& came(Warp& w, int lane) {
  Cluster& cluster = cluster_of(*w.block);
  const std::size_t threads = w.block->launch->info.block.count();
  if (cluster.come.empty()) cluster.come.resize(threads * cluster.blocks.size());
  return cluster
      .come[rank_in_cluster(*w.block) * threads + w.id.warp * kWarpSize + static_cast<std::size_t>(lane)];
}

}  // namespace

void notify_remote_access(Warp& w, const DecodedInstruction& s, const LanesAccess& of, Block* const* block) {
  WarpAccess access = warp_access(w, s, of);
  for (LaneMask rest = of.lanes; rest != 0; rest &= ~access.lanes) {
    const Block* owner = block[std::countr_zero(rest)];
    access.lanes = 0;
    for (const int l : lanes_in(rest)) access.lanes |= LaneMask{block[l] == owner} << l;
    access.owner = owner == w.block ? -1 : static_cast<std::int64_t>(owner->index);
    for (Observer* observer : w.block->launch->observers)
      access.owner < 0 ? observer->access(access) : observer->remote_access(access);
  }
}

void cluster_arrive(Warp& w, const DecodedInstruction&, LaneMask lanes) {
  Cluster& cluster = cluster_of(*w.block);
  for (const int lane : lanes_in(lanes)) came(w, lane) = cluster.phase + 1;
  cluster.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
  complete_if_all_came(*w.block);
}

LaneMask cluster_ready(Warp& w, const DecodedInstruction&, LaneMask lanes) {
  LaneMask ready = 0;
  for (const int l : lanes_in(lanes)) {
    if (came(w, l) <= cluster_of(*w.block).phase) ready |= LaneMask{1} << l;
  }
  return ready;
}

void recheck_cluster(Block& block) {
  if (block.cluster != nullptr || block.alone != nullptr) complete_if_all_came(block);
}

void map_address(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (const int l : lanes_in(lanes)) {
    const std::uint64_t from = address_of(w, s, l), window = s.generic ? kSharedWindow : 0;
    const std::uint64_t rank = w.lanes_of<std::uint32_t>(s.b)[l];
    const std::uint64_t to = window + ((rank + 1) << kRankShift | ((from - window) & kRankOffset));
    if (s.width == 8)
      w.lanes_of<std::uint64_t>(s.d)[l] = to;
    else
      w.lanes_of<std::uint32_t>(s.d)[l] = static_cast<std::uint32_t>(to);
  }
}

void rank_of_address(Warp& w, const DecodedInstruction& s, LaneMask lanes) {
  for (const int l : lanes_in(lanes)) {
    const std::uint64_t offset = address_of(w, s, l) - (s.generic ? kSharedWindow : 0);
    w.lanes_of<std::uint32_t>(s.d)[l] = names_a_rank(offset)
                                            ? static_cast<std::uint32_t>(offset >> kRankShift) - 1
                                            : rank_in_cluster(*w.block);
  }
}

void cluster_load(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t offset[kWarpSize];
  const LaneMask remote = lanes_with_rank(w, s, mask, offset);
  if (const LaneMask own = mask & ~remote) w.frame->program->plain_handlers[s.target](w, s, own);
  RemoteLanes lanes = remote_lanes(s, AccessKind::load);
  for (const int l : lanes_in(remote)) {
    const std::uint8_t* data = lanes.bytes(w, s, l, offset[l]);
    if (data == nullptr) continue;
    for (std::size_t k = 0; k < s.elements; ++k) {
      if (s.data[k] == kNoOperand) continue;
      std::uint64_t value = 0;
      std::memcpy(&value, data + k * s.bytes, s.bytes);
      if (s.sign_extend && s.bytes < 8) {
        const int unused = 64 - 8 * s.bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      }
      std::memcpy(w.registers + s.data[k] + static_cast<std::size_t>(l) * s.width, &value, s.width);
    }
  }
  lanes.access.address = lanes.offset;
  notify_remote_access(w, s, lanes.access, lanes.block);
}

void cluster_store(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t offset[kWarpSize];
  const LaneMask remote = lanes_with_rank(w, s, mask, offset);
  if (const LaneMask own = mask & ~remote) w.frame->program->plain_handlers[s.target](w, s, own);
  RemoteLanes lanes = remote_lanes(s, AccessKind::store);
  for (const int l : lanes_in(remote)) {
    std::uint8_t* data = lanes.bytes(w, s, l, offset[l]);
    if (data == nullptr) continue;
    for (std::size_t k = 0; k < s.elements; ++k)
      std::memcpy(data + k * s.bytes, w.registers + s.data[k] + static_cast<std::size_t>(l) * s.width,
                  s.bytes);
  }
  lanes.access.address = lanes.offset;
  notify_remote_access(w, s, lanes.access, lanes.block);
}

}  // namespace fusebox::sim
