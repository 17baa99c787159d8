#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "grader/simulator/exec/barriers.h"
#include "grader/simulator/exec/block_runner.h"
#include "grader/simulator/exec/run_step.h"
#include "grader/simulator/exec/warp_flow.h"

// Most of what a warp costs is finding out what it does next. Warps of a block mostly do the same, so those
// that are at one place with all their lanes go through it in lockstep: each step for one warp after the
// other.

namespace fusebox::sim {
namespace {

/// Can it go in lockstep with others? Its lanes are together, in the kernel itself, and nothing waits for
/// them.
bool is_whole(const Warp& warp) {
  if (warp.fragments.size() != 1) return false;
  const Fragment& f = warp.fragments.front();
  return f.state == Fragment::State::ready && f.lanes == warp.threads && f.join < 0 &&
         f.frame == warp.entry_frame;
}

std::uint32_t bit_of(const Warp& warp) { return std::uint32_t{1} << warp.id.warp; }

}  // namespace

void BlockRunner::Convoys::add(std::uint32_t block, std::uint32_t warps) {
  for (Convoy& convoy : list)
    if (convoy.block == block) {
      convoy.warps |= warps;
      return;
    }
  list.push_back({block, warps});
}

BlockRunner::Convoy BlockRunner::Convoys::take_lowest() {
  auto lowest = std::min_element(list.begin(), list.end(),
                                 [](const Convoy& a, const Convoy& b) { return a.block < b.block; });
  const Convoy taken = *lowest;
  *lowest = list.back();
  list.pop_back();
  return taken;
}

std::uint32_t BlockRunner::Convoys::lowest() const {
  std::uint32_t block = ~std::uint32_t{0};
  for (const Convoy& convoy : list) block = std::min(block, convoy.block);
  return block;
}

bool BlockRunner::run_lockstep() {
  bool moved = false, gather = true;
  const std::int64_t end = budget_ - schedule_.slice() * static_cast<std::int64_t>(block_.warps.size());
  while (gather && budget_ >= end && !block_.stopped) {
    convoys_.list.clear();
    for (Warp& warp : block_.warps) {
      if (!is_whole(warp)) continue;
      enter_frame(warp, *warp.entry_frame);
      convoys_.add(warp.fragments.front().block, bit_of(warp));
    }
    const std::uint64_t passed = block_.barriers_passed;
    gather = false;
    // The lowest first: in loops and at branches those behind catch up, and go on together.
    while (!convoys_.list.empty() && budget_ >= end && !block_.stopped && !gather) {
      run_convoy(convoys_.take_lowest(), end);
      moved = true;
      gather = block_.barriers_passed != passed;  // whoever it let go
    }
    for (const Convoy& convoy : convoys_.list)
      for (std::uint32_t rest = convoy.warps; rest != 0; rest &= rest - 1)
        block_.warps[static_cast<std::size_t>(std::countr_zero(rest))].fragments.front().block = convoy.block;
  }
  return moved;
}

/// Runs a warp whose lanes have parted until they are together again, or wait before that.
void BlockRunner::run_until_whole(Warp& warp, std::int64_t end) {
  while (budget_ >= end && !block_.stopped && !is_whole(warp)) {
    const auto& fragments = warp.fragments;
    std::size_t ready = 0;
    while (ready < fragments.size() && fragments[ready].state != Fragment::State::ready) ++ready;
    if (ready == fragments.size()) return;
    Fragment fragment = take_fragment(warp, ready);
    run_fragment(warp, fragment, budget_ - end, true);
  }
}

/// Runs until the warps go to different places, or one that others are at too, or wait.
void BlockRunner::run_convoy(Convoy convoy, std::int64_t end) {
  const Program& program = *launch_.program;
  Count* const counts = counts_of(program);
  std::array<Warp*, kMostWarps> members;
  std::size_t size = 0;
  std::uint64_t lanes = 0;
  for (std::uint32_t rest = convoy.warps; rest != 0; rest &= rest - 1) {
    members[size] = &block_.warps[static_cast<std::size_t>(std::countr_zero(rest))];
    lanes += static_cast<std::uint64_t>(std::popcount(members[size++]->threads));
  }
  const std::span<Warp* const> warps(members.data(), size);
  do {
    const BasicBlock& block = program.blocks[convoy.block];
    const Step *step = program.steps.data() + block.first, *const last = program.steps.data() + block.last;
    if (budget_ < 0)
      return stop_block(*warps.front(), *last, warps.front()->threads, FaultKind::endless_loop);
    for (; step != last; ++step) {
      if (step->guard == kNoOperand)
        for (Warp* warp : warps) step->run(*warp, *step, warp->threads);
      else
        for (Warp* warp : warps) run_step(*warp, *step, warp->threads);
    }
    budget_ -= static_cast<std::int64_t>((block.last - block.first + 1) * size);
    Count& count = counts[convoy.block];
    count.warps += size;
    count.lanes += lanes;
    if (!launch_.run_observers.empty())
      for (Warp* warp : warps) tell_run_ended(*warp);
    const bool passes =
        last->kind == StepKind::barrier && size == block_.warps.size() && pass_barrier(block_, *last);
    if (last->kind == StepKind::plain)
      for (Warp* warp : warps) run_step(*warp, *last, warp->threads);
    if (passes || last->kind == StepKind::plain)
      ++convoy.block;
    else if (!leave_block(convoy, warps, *last, block, end))
      return;
  } while (budget_ >= end && !block_.stopped && convoy.block < convoys_.lowest());
  convoys_.add(convoy.block, convoy.warps);
}

/// The last step of a block, which may send each warp elsewhere. True when all go on together, at the
/// convoy's block then; else those that are still whole are in other convoys.
bool BlockRunner::leave_block(Convoy& convoy, std::span<Warp* const> warps, const Step& last,
                              const BasicBlock& block, std::int64_t end) {
  const std::uint32_t at = convoy.block;
  const bool branches = last.kind == StepKind::branch;
  if (branches && last.guard == kNoOperand) {
    convoy.block = last.target;
    return true;
  }
  std::uint32_t going = 0, staying = 0;
  for (Warp* warp : warps) {
    const LaneMask taken = branches ? guarded(*warp, last, warp->threads) : 0;
    if (branches && (taken == 0 || taken == warp->threads)) {
      (taken != 0 ? going : staying) |= bit_of(*warp);
      continue;
    }
    Fragment fragment = take_fragment(*warp, 0);
    fragment.block = at;
    if (branches) ++counts_of(*launch_.program)[at].divergent;
    if (branches ? part(*warp, fragment, last, block, taken) : finish(*warp, fragment, last, block))
      warp->fragments.push_back(std::move(fragment));
    if (branches) run_until_whole(*warp, end);
    if (is_whole(*warp)) convoys_.add(warp->fragments.front().block, bit_of(*warp));
  }
  convoy.block = going != 0 ? last.target : at + 1;
  if (going == convoy.warps || staying == convoy.warps) return true;
  if (going != 0) convoys_.add(last.target, going);
  if (staying != 0) convoys_.add(at + 1, staying);
  return false;
}

}  // namespace fusebox::sim
