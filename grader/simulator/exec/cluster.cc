#include "grader/simulator/exec/cluster.h"

#include <bit>
#include <cstring>

#include "grader/simulator/exec/access.h"
#include "grader/simulator/exec/block_runner.h"
#include "grader/simulator/exec/schedule.h"
#include "grader/simulator/exec/waiting.h"

namespace fusebox::sim {
namespace {

constexpr std::int64_t kClusterTurn = 20'000;

std::uint64_t address_of(Warp& w, const Step& s, int lane) {
  return lane_address(w, s.a, s.address_width, s.immediate, lane);
}

/// Lanes of `mask` whose address names a block of the cluster; their offsets with the block's rank go into
/// `offset`.
LaneMask lanes_with_rank(Warp& w, const Step& s, LaneMask mask, std::uint64_t* offset) {
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

/// The bytes of one access to another block's shared memory, or null with its fault raised.
std::uint8_t* remote_bytes(Warp& w, const Step& s, int lane, std::uint64_t offset, AccessKind kind) {
  const std::uint32_t bytes = std::uint32_t{s.bytes} * s.elements;
  return use_bytes(w, s, lane, cluster_place(w, Space::shared, offset), {kind, bytes, bytes}).data;
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
    each->given_up = 0;
    // A block that is over has nobody who could know of anything.
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

Cluster& cluster_of(Block& block) {
  if (block.cluster != nullptr) return *block.cluster;
  if (block.alone == nullptr) {
    block.alone = std::make_shared<Cluster>();
    block.alone->blocks.assign(1, &block);
  }
  return *block.alone;
}

std::uint32_t rank_in_cluster(const Block& block) {
  const Dim3& c = block.launch->info.cluster;
  const auto& p = block.position;
  return p[0] % c.x + c.x * (p[1] % c.y + c.y * (p[2] % c.z));
}

Block* block_of_rank(Block& own, std::uint64_t& offset) {
  const std::uint64_t rank = offset >> kRankShift;
  offset &= kRankOffset;
  if (rank == 0) return &own;
  if (own.cluster == nullptr) return rank == 1 ? &own : nullptr;
  return rank <= own.cluster->blocks.size() ? own.cluster->blocks[rank - 1] : nullptr;
}

void cluster_arrive(Warp& w, const Step&, LaneMask lanes) {
  Cluster& cluster = cluster_of(*w.block);
  for (const int lane : lanes_in(lanes)) came(w, lane) = cluster.phase + 1;
  cluster.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
  complete_if_all_came(*w.block);
}

LaneMask cluster_ready(Warp& w, const Step&, LaneMask lanes) {
  LaneMask ready = 0;
  for (const int l : lanes_in(lanes)) {
    if (came(w, l) <= cluster_of(*w.block).phase) ready |= LaneMask{1} << l;
  }
  return ready;
}

void recheck_cluster(Block& block) {
  if (block.cluster != nullptr || block.alone != nullptr) complete_if_all_came(block);
}

void map_address(Warp& w, const Step& s, LaneMask lanes) {
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

void rank_of_address(Warp& w, const Step& s, LaneMask lanes) {
  for (const int l : lanes_in(lanes)) {
    const std::uint64_t offset = address_of(w, s, l) - (s.generic ? kSharedWindow : 0);
    w.lanes_of<std::uint32_t>(s.d)[l] = names_a_rank(offset)
                                            ? static_cast<std::uint32_t>(offset >> kRankShift) - 1
                                            : rank_in_cluster(*w.block);
  }
}

void cluster_load(Warp& w, const Step& s, LaneMask mask) {
  std::uint64_t offset[kWarpSize];
  const LaneMask remote = lanes_with_rank(w, s, mask, offset);
  if (const LaneMask own = mask & ~remote) w.frame->program->plain_handlers[s.target](w, s, own);
  for (const int l : lanes_in(remote)) {
    const std::uint8_t* data = remote_bytes(w, s, l, offset[l], AccessKind::load);
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
}

void cluster_store(Warp& w, const Step& s, LaneMask mask) {
  std::uint64_t offset[kWarpSize];
  const LaneMask remote = lanes_with_rank(w, s, mask, offset);
  if (const LaneMask own = mask & ~remote) w.frame->program->plain_handlers[s.target](w, s, own);
  for (const int l : lanes_in(remote)) {
    std::uint8_t* data = remote_bytes(w, s, l, offset[l], AccessKind::store);
    if (data == nullptr) continue;
    for (std::size_t k = 0; k < s.elements; ++k)
      std::memcpy(data + k * s.bytes, w.registers + s.data[k] + static_cast<std::size_t>(l) * s.width,
                  s.bytes);
  }
}

Ending run_clusters(Launch& launch, std::int64_t& budget) {
  Schedule schedule(launch.schedule);
  const Dim3 &grid = launch.info.grid, &shape = launch.info.cluster;
  const std::size_t size = shape.count();
  std::vector<std::unique_ptr<BlockRunner>> runners;
  for (std::size_t i = 0; i < size; ++i)
    runners.push_back(std::make_unique<BlockRunner>(launch, schedule, budget));
  const std::uint64_t across = grid.x / shape.x, down = grid.y / shape.y, deep = grid.z / shape.z;
  for (std::uint64_t index = 0; index < across * down * deep; ++index) {
    Cluster cluster;
    for (const auto& runner : runners) cluster.blocks.push_back(&runner->block());
    for (std::size_t rank = 0; rank < size; ++rank) {
      const std::uint64_t x = index % across * shape.x + rank % shape.x,
                          y = index / across % down * shape.y + rank / shape.x % shape.y,
                          z = index / across / down * shape.z + rank / shape.x / shape.y;
      runners[rank]->block().cluster = &cluster;
      runners[rank]->begin(x + grid.x * (y + grid.y * z));
    }
    std::vector<bool> done(size, false);
    std::size_t left = size, idle = 0;  // idle: turns since something moved
    while (left > 0) {
      // A copy: the blocks ask for the order of their warps.
      const std::span<const std::uint32_t> order = schedule.order(size);
      for (std::uint32_t rank : std::vector<std::uint32_t>(order.begin(), order.end())) {
        if (done[rank]) continue;
        const std::int64_t before = budget;
        // When nobody moves, waits of one block after the other give up.
        runners[rank]->give_up(idle >= size);
        const BlockRunner::State state =
            runners[rank]->run(launch.schedule ? schedule.slice() : kClusterTurn);
        if (state == BlockRunner::State::stopped) return Ending::stopped;
        done[rank] = state == BlockRunner::State::complete;
        left -= done[rank];
        idle = done[rank] || budget != before ? 0 : idle + 1;
      }
    }
    for (const auto& runner : runners) {
      runner->block().cluster = nullptr;
      runner->end();
    }
  }
  return Ending::complete;
}

}  // namespace fusebox::sim
