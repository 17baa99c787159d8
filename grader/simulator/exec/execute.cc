#include "grader/simulator/exec/execute.h"

#include <algorithm>

#include "grader/simulator/exec/block_runner.h"
#include "grader/simulator/exec/cluster.h"

namespace fusebox::sim {
namespace {

// A block that has taken this many warp instructions may be waiting for another one: that gets its turn. Once
// several take turns, they are shorter.
constexpr std::int64_t kFirstTurn = 100'000, kTurn = 20'000;
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
    switch (running[turn]->run(shuffled             ? schedule.slice()
                               : launch.cooperative ? kCooperativeSlice
                               : all_wait           ? kTurn
                                                    : kFirstTurn)) {
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
  const auto most = static_cast<std::int64_t>(limits.max_warp_instructions);
  std::int64_t budget = most;
  Ending ending = clusters                     ? run_clusters(launch, budget)
                  : run_blocks(launch, budget) ? Ending::complete
                                               : Ending::stopped;
  launch.work = static_cast<std::uint64_t>(most - budget);
  for (Observer* observer : launch.observers) observer->launch_end();
  return ending;
}

}  // namespace fusebox::sim
