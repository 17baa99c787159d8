#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "grader/simulator/exec/execution/barriers.h"
#include "grader/simulator/exec/execution/block_runner.h"
#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/execution/run_instruction.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/state/block.h"

// Most of what a warp costs is finding out what it does next. Warps of a block mostly do the same, so those
// that are converged at one place go through it together: each instruction for one warp after the other.

namespace fusebox::sim {
namespace {

/// Can it go together with others? Its lanes are together, in the kernel itself, and nothing waits for
/// them.
bool is_converged(const Warp& warp) {
  if (warp.fragments.size() != 1) return false;
  const Fragment& f = warp.fragments.front();
  return f.state == Fragment::State::ready && f.lanes == warp.threads && f.join < 0 &&
         f.frame == warp.entry_frame;
}

std::uint32_t bit_of(const Warp& warp) { return std::uint32_t{1} << warp.id.warp; }

}  // namespace

/// A warp that is converged goes on with those that are at its basic block. What it did last may have been to
/// return from a function, whose frame is gone: a group runs its instructions without looking.
void BlockRunner::join_converged(Warp& warp) {
  enter_frame(warp, *warp.entry_frame);
  converged_.add(warp.fragments.front().basic_block, bit_of(warp));
}

void BlockRunner::ConvergedGroups::add(std::uint32_t basic_block, std::uint32_t warps) {
  for (ConvergedGroup& group : list)
    if (group.basic_block == basic_block) {
      group.warps |= warps;
      return;
    }
  list.push_back({basic_block, warps});
}

BlockRunner::ConvergedGroup BlockRunner::ConvergedGroups::take_lowest() {
  auto lowest = std::min_element(
      list.begin(), list.end(),
      [](const ConvergedGroup& a, const ConvergedGroup& b) { return a.basic_block < b.basic_block; });
  const ConvergedGroup taken = *lowest;
  *lowest = list.back();
  list.pop_back();
  return taken;
}

std::uint32_t BlockRunner::ConvergedGroups::lowest() const {
  std::uint32_t basic_block = ~std::uint32_t{0};
  for (const ConvergedGroup& group : list) basic_block = std::min(basic_block, group.basic_block);
  return basic_block;
}

bool BlockRunner::run_converged() {
  bool moved = false, gather = true;
  const std::int64_t together = std::count_if(block_.warps.begin(), block_.warps.end(), is_converged);
  // A warp that is alone goes through its slice by itself.
  if (together < 2) return false;
  const std::int64_t end = budget_ - schedule_.slice() * together;
  while (gather && budget_ >= end && !block_.stopped && block_.polling == 0) {
    converged_.list.clear();
    for (Warp& warp : block_.warps)
      if (is_converged(warp)) join_converged(warp);
    const std::uint64_t passed = block_.barriers_passed;
    gather = false;
    // The lowest first: in loops and at branches those behind catch up, and go on together.
    while (!converged_.list.empty() && budget_ >= end && !block_.stopped && !gather && block_.polling == 0) {
      run_group(converged_.take_lowest(), end);
      moved = true;
      gather = block_.barriers_passed != passed;  // the warps that it released
    }
    for (const ConvergedGroup& group : converged_.list)
      for (const int warp : warps_in(group.warps))
        block_.warps[static_cast<std::size_t>(warp)].fragments.front().basic_block = group.basic_block;
  }
  return moved;
}

/// Runs a warp whose lanes have parted until they are together again, or wait, or are apart for long: they
/// may be waiting for another block.
void BlockRunner::run_until_converged(Warp& warp) {
  constexpr std::int64_t kLong = 1'000;
  const std::int64_t end = budget_ - kLong;
  while (budget_ >= end && !block_.stopped && !is_converged(warp) && !polls(warp)) {
    const std::size_t ready = next_ready(warp);
    if (ready == warp.fragments.size()) return;
    Fragment fragment = take_fragment(warp, ready);
    run_fragment(warp, fragment, budget_ - end, true);
  }
}

/// Runs until the warps go to different places, or one that others are at too, or wait.
void BlockRunner::run_group(ConvergedGroup group, std::int64_t end) {
  const Program& program = *launch_.program;
  Count* const counts = counts_of(program);
  std::array<Warp*, kMaxWarps> members;
  std::size_t size = 0;
  std::uint64_t lanes = 0;
  for (const int warp : warps_in(group.warps)) {
    members[size] = &block_.warps[static_cast<std::size_t>(warp)];
    lanes += static_cast<std::uint64_t>(std::popcount(members[size++]->threads));
  }
  const std::span<Warp* const> warps(members.data(), size);
  do {
    const BasicBlock& basic_block = program.basic_blocks[group.basic_block];
    const DecodedInstruction* decoded = program.instructions.data() + basic_block.first;
    const DecodedInstruction* const last = program.instructions.data() + basic_block.last;
    if (budget_ < 0)
      return stop_block(*warps.front(), *last, warps.front()->threads, FaultKind::endless_loop);
    for (; decoded != last; ++decoded) {
      if (decoded->guard == kNoOperand)
        for (Warp* warp : warps) decoded->run(*warp, *decoded, warp->threads);
      else
        for (Warp* warp : warps) run_instruction(*warp, *decoded, warp->threads);
    }
    const std::uint64_t length = basic_block.last - basic_block.first + 1;
    budget_ -= static_cast<std::int64_t>(length * size);
    for (Warp* warp : warps) warp->issued += length;
    Count& count = counts[group.basic_block];
    count.warps += size;
    count.lanes += lanes;
    if (last->kind != InstructionKind::branch && !basic_block.goes_on && !launch_.run_observers.empty())
      for (Warp* warp : warps) notify_run_ended(*warp);
    if (last->kind == InstructionKind::plain) {
      for (Warp* warp : warps) run_instruction(*warp, *last, warp->threads);
      ++group.basic_block;
    } else if (last->kind == InstructionKind::branch) {
      if (!branch_together(group, warps, *last, basic_block)) return;
    } else if (last->kind == InstructionKind::barrier && size == block_.warps.size() &&
               pass_barrier(block_, *last)) {
      ++group.basic_block;
    } else {
      return finish_apart(group, warps, *last, basic_block);
    }
  } while (budget_ >= end && !block_.stopped && block_.polling == 0 &&
           group.basic_block < converged_.lowest());
  converged_.add(group.basic_block, group.warps);
}

/// A branch at the end of a basic block. True when all warps go on together, at the group's basic block then;
/// else those that are converged are in other groups.
bool BlockRunner::branch_together(ConvergedGroup& group, std::span<Warp* const> warps,
                                  const DecodedInstruction& branch, const BasicBlock& basic_block) {
  const std::uint32_t at = group.basic_block;
  std::uint32_t going = 0, staying = 0;
  for (Warp* warp : warps) {
    const LaneMask taken = guarded(*warp, branch, warp->threads);
    going |= taken == warp->threads ? bit_of(*warp) : 0;
    staying |= taken == 0 ? bit_of(*warp) : 0;
    branch_ends_run(*warp, basic_block, taken, warp->threads & ~taken);
  }
  group.basic_block = going != 0 ? branch.target : at + 1;
  if (going == group.warps || staying == group.warps) return true;
  for (Warp* warp : warps) {
    if ((bit_of(*warp) & (going | staying)) != 0) continue;
    ++counts_of(*launch_.program)[at].divergent;
    Fragment fragment = take_fragment(*warp, 0);
    fragment.basic_block = at;
    if (part(*warp, fragment, branch, basic_block, guarded(*warp, branch, warp->threads)))
      warp->fragments.push_back(std::move(fragment));
    run_until_converged(*warp);
    if (is_converged(*warp)) join_converged(*warp);
  }
  if (going != 0) converged_.add(branch.target, going);
  if (staying != 0) converged_.add(at + 1, staying);
  return false;
}

/// Any other last instruction of a basic block: each warp does it by itself. Those that are converged are in
/// groups then.
void BlockRunner::finish_apart(const ConvergedGroup& group, std::span<Warp* const> warps,
                               const DecodedInstruction& last, const BasicBlock& basic_block) {
  for (Warp* warp : warps) {
    Fragment fragment = take_fragment(*warp, 0);
    fragment.basic_block = group.basic_block;
    if (finish(*warp, fragment, last, basic_block)) warp->fragments.push_back(std::move(fragment));
    if (is_converged(*warp)) join_converged(*warp);
  }
}

}  // namespace fusebox::sim
