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

/// A warp that is whole goes on with those that are at its block. What it did last may have been to return
/// from a function, whose frame is gone: a convoy runs its steps without looking.
void BlockRunner::join_convoy(Warp& warp) {
  enter_frame(warp, *warp.entry_frame);
  convoys_.add(warp.fragments.front().block, bit_of(warp));
}

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
  const std::int64_t whole = std::count_if(block_.warps.begin(), block_.warps.end(), is_whole);
  // A warp that is alone goes through its slice by itself.
  if (whole < 2) return false;
  const std::int64_t end = budget_ - schedule_.slice() * whole;
  while (gather && budget_ >= end && !block_.stopped) {
    convoys_.list.clear();
    for (Warp& warp : block_.warps)
      if (is_whole(warp)) join_convoy(warp);
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

/// Runs a warp whose lanes have parted until they are together again, or wait, or are apart for long: they
/// may be waiting for another block.
void BlockRunner::run_until_whole(Warp& warp) {
  constexpr std::int64_t kLong = 1'000;
  const std::int64_t end = budget_ - kLong;
  while (budget_ >= end && !block_.stopped && !is_whole(warp)) {
    const std::size_t ready = next_ready(warp);
    if (ready == warp.fragments.size()) return;
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
    if (!block.goes_on && !launch_.run_observers.empty())
      for (Warp* warp : warps) notify_run_ended(*warp);
    if (last->kind == StepKind::plain) {
      for (Warp* warp : warps) run_step(*warp, *last, warp->threads);
      ++convoy.block;
    } else if (last->kind == StepKind::branch) {
      if (!branch_together(convoy, warps, *last, block)) return;
    } else if (last->kind == StepKind::barrier && size == block_.warps.size() &&
               pass_barrier(block_, *last)) {
      ++convoy.block;
    } else {
      return finish_apart(convoy, warps, *last, block);
    }
  } while (budget_ >= end && !block_.stopped && convoy.block < convoys_.lowest());
  convoys_.add(convoy.block, convoy.warps);
}

/// A branch at the end of a block. True when all warps go on together, at the convoy's block then; else those
/// that are whole are in other convoys.
bool BlockRunner::branch_together(Convoy& convoy, std::span<Warp* const> warps, const Step& branch,
                                  const BasicBlock& block) {
  const std::uint32_t at = convoy.block;
  std::uint32_t going = convoy.warps, staying = 0;
  if (branch.guard != kNoOperand) {
    going = 0;
    for (Warp* warp : warps) {
      const LaneMask taken = guarded(*warp, branch, warp->threads);
      going |= taken == warp->threads ? bit_of(*warp) : 0;
      staying |= taken == 0 ? bit_of(*warp) : 0;
    }
  }
  convoy.block = going != 0 ? branch.target : at + 1;
  if (going == convoy.warps || staying == convoy.warps) return true;
  for (Warp* warp : warps) {
    if ((bit_of(*warp) & (going | staying)) != 0) continue;
    ++counts_of(*launch_.program)[at].divergent;
    Fragment fragment = take_fragment(*warp, 0);
    fragment.block = at;
    if (part(*warp, fragment, branch, block, guarded(*warp, branch, warp->threads)))
      warp->fragments.push_back(std::move(fragment));
    run_until_whole(*warp);
    if (is_whole(*warp)) join_convoy(*warp);
  }
  if (going != 0) convoys_.add(branch.target, going);
  if (staying != 0) convoys_.add(at + 1, staying);
  return false;
}

/// Any other last step of a block: each warp does it by itself. Those that are whole are in convoys then.
void BlockRunner::finish_apart(const Convoy& convoy, std::span<Warp* const> warps, const Step& last,
                               const BasicBlock& block) {
  for (Warp* warp : warps) {
    Fragment fragment = take_fragment(*warp, 0);
    fragment.block = convoy.block;
    if (finish(*warp, fragment, last, block)) warp->fragments.push_back(std::move(fragment));
    if (is_whole(*warp)) join_convoy(*warp);
  }
}

}  // namespace fusebox::sim
