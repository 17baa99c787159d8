#include "grader/simulator/exec/execution/barriers.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/execution/waiting.h"
#include "grader/simulator/exec/instructions/cluster_ops.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

std::uint32_t count(LaneMask lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

std::string line_of(const ptx::Function& function, std::uint32_t instruction) {
  std::int32_t line = function.instructions[instruction].location.line;
  return line > 0 ? "line " + std::to_string(line) : "an unknown line";
}

void fault_at(Block& block, const Barrier::Waiting& who, FaultKind kind, std::string note) {
  RawFault fault;
  fault.kind = kind;
  fault.function = who.program->function;
  fault.instruction = who.program->instructions[who.at].instruction;
  fault.block = block.index;
  fault.thread = who.warp->id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(who.lanes));
  fault.note = std::move(note);
  block.launch->faults->add(fault);
}

/// A barrier for the whole block that only completed because some threads of a warp will never come. Since
/// sm_70 a barrier waits for the threads that have not exited: a warp that has exited as a whole is no
/// mistake. Where a part of one has exited, the others come to an aligned barrier from a branch in which
/// their warp parted, for which PTX promises nothing.
void check_for_missing(Block& block, const Barrier& barrier) {
  if (block.alive == block.launch->info.block.count()) return;
  for (const Warp& warp : block.warps) {
    LaneMask left = warp.threads & ~warp.alive;
    if (left == 0 || left == warp.threads) continue;
    std::uint32_t where = warp.left_at[static_cast<std::size_t>(std::countr_zero(left))];
    fault_at(block, barrier.here.front(), FaultKind::barrier_divergence,
             describe_threads(warp, left) + " left the kernel at " +
                 line_of(*block.launch->info.function, where) + " and never came to this barrier");
    return;
  }
}

/// Lanes of one warp that came from different places: each __syncthreads() must be reached by a whole warp
/// together. Whether there were such.
bool check_for_split_warps(Block& block, const Barrier& barrier) {
  const auto is_part = [](const Barrier::Waiting& who) { return who.lanes != who.warp->alive; };
  if (std::none_of(barrier.here.begin(), barrier.here.end(), is_part)) return false;
  for (std::size_t i = 0; i < barrier.here.size(); ++i)
    for (std::size_t k = i + 1; k < barrier.here.size(); ++k) {
      const Barrier::Waiting &a = barrier.here[i], &b = barrier.here[k];
      if (a.warp != b.warp || a.at == b.at) continue;
      fault_at(block, a, FaultKind::barrier_divergence,
               describe_threads(*a.warp, a.lanes) + " wait here, " + describe_threads(*b.warp, b.lanes) +
                   " of the same warp at " +
                   line_of(*b.program->function, b.program->instructions[b.at].instruction));
      return true;
    }
  return false;
}

/// Warps that came from different lines: __syncthreads() in a branch or loop is for conditions on which the
/// whole block agrees. Barriers that count their threads may be met from anywhere.
void check_for_other_lines(Block& block, const Barrier& barrier) {
  const auto place = [](const Barrier::Waiting& who) -> const ptx::Location& {
    return who.program->function->instructions[who.program->instructions[who.at].instruction].location;
  };
  const Barrier::Waiting& first = barrier.here.front();
  for (const Barrier::Waiting& who : barrier.here) {
    if (!who.waits || !first.waits || place(who).line <= 0 || place(first).line <= 0) continue;
    if (place(who).line == place(first).line && place(who).file == place(first).file) continue;
    fault_at(block, first, FaultKind::barrier_divergence,
             describe_threads(*first.warp, first.lanes) + " wait here, " +
                 describe_threads(*who.warp, who.lanes) + " at " +
                 line_of(*who.program->function, who.program->instructions[who.at].instruction));
    return;
  }
}

void write_reduction(const Barrier& barrier, const Barrier::Waiting& who, Frame& frame) {
  const DecodedInstruction& decoded = frame.program->instructions[who.at];
  if (decoded.extra == 0) return;
  bool all = barrier.reduce_count == barrier.reduce_threads, any = barrier.reduce_count != 0;
  if (decoded.extra == 1) {
    auto* d = reinterpret_cast<std::uint32_t*>(frame.registers + decoded.d);
    for (const int lane : lanes_in(who.lanes)) d[lane] = barrier.reduce_count;
  } else {
    auto& d = *reinterpret_cast<LaneMask*>(frame.registers + decoded.d);
    d = (d & ~who.lanes) | ((decoded.extra == 2 ? all : any) ? who.lanes : 0);
  }
}

void notify_complete(Block& block, std::uint32_t id, const Barrier& barrier) {
  if (block.launch->observers.empty()) return;
  std::vector<BarrierParty>& parties = block.parties;
  parties.clear();
  std::uint32_t waited = 0;
  for (const Barrier::Waiting& who : barrier.here) {
    parties.push_back({who.warp->id.warp, who.lanes, who.waits});
    if (who.waits) waited += count(who.lanes);
  }
  // A barrier that counts its threads says nothing of those that have left; one without a count is for all.
  const std::uint64_t all = barrier.expected == 0 ? block.alive : block.launch->info.block.count();
  if (waited >= all) notify_issued(block);
  for (Observer* observer : block.launch->observers)
    observer->barrier_complete(block.index, id, parties, waited >= all);
}

/// The fragment of `who` that waits at barrier `id`, as an index; the number of fragments when it is gone.
std::size_t find_waiting(const Barrier::Waiting& who, std::uint32_t id) {
  const std::vector<Fragment>& fragments = who.warp->fragments;
  std::size_t at = 0;
  for (; at < fragments.size(); ++at) {
    const Fragment& f = fragments[at];
    if (f.state == Fragment::State::at_barrier && f.barrier == id && f.waiting_at == who.at &&
        (f.lanes & who.lanes) != 0)
      break;
  }
  return at;
}

bool waits_for(const Fragment& fragment, WaitFor what) {
  return fragment.state == Fragment::State::at_wait &&
         static_cast<WaitFor>(fragment.frame->program->instructions[fragment.waiting_at].extra) == what;
}

/// Has everyone come that barrier `id` waits for?
bool is_complete(const Block& block, std::uint32_t id) {
  const Barrier& barrier = block.barriers[id];
  return !barrier.here.empty() && barrier.threads >= (barrier.expected != 0 ? barrier.expected : block.alive);
}

/// Lets go on who waits at barrier `id`, which is complete.
void release(Block& block, std::uint32_t id) {
  Barrier& barrier = block.barriers[id];
  if (barrier.expected == 0) check_for_missing(block, barrier);
  if (!check_for_split_warps(block, barrier) && barrier.expected == 0) check_for_other_lines(block, barrier);
  ++block.barriers_passed;
  Barrier& done = block.completed;
  done.clear();
  std::swap(done, barrier);
  notify_complete(block, id, done);
  for (const Barrier::Waiting& who : done.here) {
    if (!who.waits) continue;
    auto& fragments = who.warp->fragments;
    const std::size_t at = find_waiting(who, id);
    if (at == fragments.size()) continue;
    write_reduction(done, who, *fragments[at].frame);
    if (at + 1 != fragments.size())
      std::rotate(fragments.begin() + static_cast<std::ptrdiff_t>(at),
                  fragments.begin() + static_cast<std::ptrdiff_t>(at) + 1, fragments.end());
    // A barrier ends its basic block.
    if (!enter_basic_block(*who.warp, fragments.back(), fragments.back().basic_block + 1))
      fragments.pop_back();
  }
}

}  // namespace

void notify_issued(Block& block) {
  for (Warp& warp : block.warps) {
    if (warp.issued == 0) continue;
    for (Observer* observer : block.launch->run_observers) observer->warp_issued(warp.id, warp.issued);
    warp.issued = 0;
  }
}

std::string describe_threads(const Warp& warp, LaneMask lanes) {
  std::uint32_t first = warp.id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
  std::uint32_t last = warp.id.warp * kWarpSize + 31 - static_cast<std::uint32_t>(std::countl_zero(lanes));
  if (first == last) return "thread " + std::to_string(first);
  bool together = count(lanes) == last - first + 1;
  return (together ? "threads " : std::to_string(count(lanes)) + " of the threads ") + std::to_string(first) +
         ".." + std::to_string(last);
}

bool arrive_at_barrier(Block& block, Warp& warp, Fragment& fragment, std::uint32_t index, LaneMask lanes) {
  const DecodedInstruction& decoded = fragment.frame->program->instructions[index];
  int first = std::countr_zero(lanes);
  std::uint32_t id = warp.lanes_of<std::uint32_t>(decoded.a)[first] & 15;
  Barrier& barrier = block.barriers[id];
  bool waits = decoded.kind == InstructionKind::barrier;
  if (decoded.b != kNoOperand) barrier.expected = warp.lanes_of<std::uint32_t>(decoded.b)[first];
  barrier.threads += count(lanes);
  if (decoded.extra != 0) {
    LaneMask yes = (decoded.flag ? ~warp.predicate(decoded.e) : warp.predicate(decoded.e)) & lanes;
    barrier.reduce_count += count(yes);
    barrier.reduce_threads += count(lanes);
  }
  barrier.here.push_back({&warp, fragment.frame->program, index, lanes, waits});
  for (Observer* observer : block.launch->observers)
    observer->barrier(warp.id, decoded.instruction, id, lanes);
  if (!waits)
    for (Observer* observer : block.launch->observers) observer->barrier_arrive(warp.id, id, lanes);
  if (waits) {
    // Moved first: reading fields at once that were written one by one would stall.
    Fragment& waiting = warp.fragments.emplace_back(std::move(fragment));
    waiting.state = Fragment::State::at_barrier;
    waiting.barrier = id;
    waiting.waiting_at = index;
  }
  if (is_complete(block, id)) release(block, id);
  return waits;
}

bool pass_barrier(Block& block, const DecodedInstruction& decoded) {
  if (decoded.guard != kNoOperand || decoded.b != kNoOperand || decoded.extra != 0 ||
      block.alive != block.launch->info.block.count())
    return false;
  const std::uint32_t id = block.warps.front().lanes_of<std::uint32_t>(decoded.a)[0] & 15;
  const Barrier& barrier = block.barriers[id];
  if (!barrier.here.empty() || barrier.expected != 0) return false;
  for (Warp& warp : block.warps)
    if ((warp.lanes_of<std::uint32_t>(decoded.a)[0] & 15) != id) return false;
  block.parties.clear();
  for (const Warp& warp : block.warps) block.parties.push_back({warp.id.warp, warp.threads, true});
  notify_issued(block);
  for (Observer* observer : block.launch->observers) {
    for (const Warp& warp : block.warps) observer->barrier(warp.id, decoded.instruction, id, warp.threads);
    observer->barrier_complete(block.index, id, block.parties, true);
  }
  return true;
}

void recheck_barriers(Block& block) {
  for (std::uint32_t id = 0; id < block.barriers.size(); ++id)
    if (is_complete(block, id)) release(block, id);
  recheck_cluster(block);
}

void raise_deadlock(Block& block) {
  std::string note;
  const Warp* first_warp = nullptr;
  const Fragment* first = nullptr;
  bool at_mbarrier = false, at_wgmma = false;
  int listed = 0;
  for (const Warp& warp : block.warps)
    for (const Fragment& fragment : warp.fragments) {
      // Who waits earliest in the kernel was passed by the others: there they parted.
      if (first == nullptr ||
          (fragment.frame->program == first->frame->program && fragment.waiting_at < first->waiting_at)) {
        first = &fragment;
        first_warp = &warp;
      }
      at_mbarrier = at_mbarrier || waits_for(fragment, WaitFor::mbarrier);
      at_wgmma = at_wgmma || waits_for(fragment, WaitFor::warpgroup);
      if (++listed > 4) continue;
      const Program& program = *fragment.frame->program;
      note += (note.empty() ? "" : "; ") + describe_threads(warp, fragment.lanes) + " wait at " +
              line_of(*program.function, program.instructions[fragment.waiting_at].instruction);
      if (fragment.state == Fragment::State::at_barrier)
        note += " (barrier " + std::to_string(fragment.barrier) + ")";
      else if (fragment.state == Fragment::State::at_wait)
        note += waits_for(fragment, WaitFor::mbarrier)    ? " (mbarrier)"
                : waits_for(fragment, WaitFor::warpgroup) ? " (wgmma.wait_group)"
                                                          : " (barrier of the cluster)";
      else
        note += " for " + describe_threads(warp, fragment.needs & ~fragment.lanes
                                                     ? fragment.needs & ~fragment.lanes
                                                     : fragment.needs);
    }
  if (first == nullptr) return;
  if (listed > 4) note += "; and " + std::to_string(listed - 4) + " more groups";
  RawFault fault;
  fault.kind = at_mbarrier                                ? FaultKind::bad_mbarrier
               : at_wgmma                                 ? FaultKind::bad_wgmma
               : first->state == Fragment::State::at_sync ? FaultKind::missing_lanes
                                                          : FaultKind::barrier_divergence;
  fault.function = first->frame->program->function;
  fault.instruction = first->frame->program->instructions[first->waiting_at].instruction;
  fault.block = block.index;
  fault.thread = first_warp->id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(first->lanes));
  fault.note = note + ": nobody can go on";
  block.launch->faults->add(fault);
}

}  // namespace fusebox::sim
