#include "grader/simulator/exec/execution/execute.h"

#include <algorithm>
#include <optional>

#include "grader/simulator/exec/execution/block_runner.h"
#include "grader/simulator/exec/execution/speculative_launch.h"
#include "grader/simulator/exec/state/cluster.h"

namespace fusebox::sim {
namespace {

// A block that has taken this many warp instructions may be waiting for another one: that gets its turn. Once
// several take turns, they are shorter. Where nothing in the kernel can wait, a block is let run on much
// longer: so what the modelled caches see is what they see of blocks on several cores (speculative_launch.h),
// whole ones.
constexpr std::int64_t kFirstTurn = 100'000, kTurn = 20'000, kLongestAlone = 50'000'000;
// Blocks that take turns at most. A cooperative launch has all of its own.
constexpr std::size_t kBlocksPerSm = 2;
// From how many of the next blocks a shuffled schedule takes one.
constexpr std::size_t kShuffledBlocks = 64;

/// Blocks take turns only when one of them takes long; else each runs to its end before the next begins.
bool run_blocks(Launch& launch, std::int64_t& budget) {
  Schedule schedule(launch.schedule);
  const std::uint64_t blocks = launch.end_block();
  const bool shuffled = !schedule.in_order();
  const std::size_t room = launch.cooperative ? blocks
                           : shuffled         ? kShuffledBlocks
                                              : std::size_t{launch.sms} * kBlocksPerSm;
  std::vector<std::unique_ptr<BlockRunner>> running, idle;
  std::uint64_t next = launch.first_block;
  std::size_t turn = 0;
  std::optional<bool> can_wait;
  const auto works_alone = [&](const BlockRunner& runner) {
    if (runner.block().polling != 0) return false;
    if (!can_wait) can_wait = ties_of_blocks(*launch.module, *launch.program) == BlockTies::any;
    return !*can_wait;
  };
  while (next < blocks || !running.empty()) {
    // A shuffled schedule begins all that there is room for and lets chance pick; else new blocks come first.
    while (next < blocks && running.size() < room) {
      if (idle.empty()) idle.push_back(std::make_unique<BlockRunner>(launch, schedule, budget));
      running.push_back(std::move(idle.back()));
      idle.pop_back();
      running.back()->begin(next++);
      if (!shuffled) {
        turn = running.size() - 1;
        break;
      }
    }
    if (shuffled) turn = schedule.pick(running.size());
    if (turn >= running.size()) turn = 0;
    const bool all_wait = launch.cooperative || running.size() > 1;
    BlockRunner& runner = *running[turn];
    BlockRunner::State state = runner.run(shuffled             ? schedule.slice()
                                          : launch.cooperative ? kCooperativeSlice
                                          : all_wait           ? kTurn
                                                               : kFirstTurn);
    if (state == BlockRunner::State::paused && !shuffled && !all_wait && works_alone(runner))
      state = runner.run(kLongestAlone);
    switch (state) {
      case BlockRunner::State::stopped:
        return false;
      case BlockRunner::State::paused:
        ++turn;
        break;
      case BlockRunner::State::complete:
        idle.push_back(std::move(running[turn]));
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(turn));
        break;
    }
  }
  return true;
}

/// A launch with clusters: one cluster after the other, its blocks in turns.
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
    std::size_t left = size;
    bool all_wait = false;  // each has had a turn, and none moved
    while (left > 0) {
      bool moved = false;
      // A copy: the blocks ask for the order of their warps.
      const std::span<const std::uint32_t> order = schedule.order(size);
      for (std::uint32_t rank : std::vector<std::uint32_t>(order.begin(), order.end())) {
        if (done[rank]) continue;
        const std::int64_t before = budget;
        // When no block makes progress, polls of one after the other fail.
        runners[rank]->may_fail_polls(all_wait && !moved);
        const BlockRunner::State state = runners[rank]->run(launch.schedule ? schedule.slice() : kTurn);
        if (state == BlockRunner::State::stopped) return Ending::stopped;
        done[rank] = state == BlockRunner::State::complete;
        left -= done[rank];
        moved = moved || done[rank] || budget != before;
      }
      all_wait = !moved;
    }
    for (const auto& runner : runners) {
      runner->block().cluster = nullptr;
      runner->end();
    }
  }
  return Ending::complete;
}

}  // namespace

void begin_launch(Launch& launch) {
  launch.run_observers.clear();
  for (Observer* observer : launch.observers) {
    observer->launch_begin(launch.info);
    if (observer->follows_runs()) launch.run_observers.push_back(observer);
  }
}

Ending execute(Launch& launch, const LaunchLimits& limits) {
  begin_launch(launch);
  const bool clusters = launch.info.cluster.count() > 1;
  const auto limit = static_cast<std::int64_t>(limits.max_warp_instructions);
  std::int64_t budget = limit;
  if (launch.faults != nullptr) launch.faults->count_against(&budget);
  Ending ending = clusters                     ? run_clusters(launch, budget)
                  : run_blocks(launch, budget) ? Ending::complete
                                               : Ending::stopped;
  launch.work = static_cast<std::uint64_t>(limit - budget);
  for (Observer* observer : launch.observers) observer->launch_end();
  if (launch.faults != nullptr) launch.faults->count_against(nullptr);
  return ending;
}

}  // namespace fusebox::sim
