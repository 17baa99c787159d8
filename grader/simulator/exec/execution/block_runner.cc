#include "grader/simulator/exec/execution/block_runner.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/exec/execution/barriers.h"
#include "grader/simulator/exec/execution/calls.h"
#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/execution/run_instruction.h"
#include "grader/simulator/exec/execution/waiting.h"
#include "grader/simulator/exec/execution/warp_sync.h"
#include "grader/simulator/exec/instructions/print.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/program/special_registers.h"

namespace fusebox::sim {
BlockRunner::BlockRunner(Launch& launch, Schedule& schedule, std::int64_t& budget)
    : launch_(launch), schedule_(schedule), budget_(budget) {
  block_.launch = &launch;
  block_.budget = &budget;
  std::uint64_t threads = launch.info.block.count();
  block_.warps.resize(warps_of(threads));
  for (std::uint32_t i = 0; i < block_.warps.size(); ++i) {
    Warp& warp = block_.warps[i];
    warp.block = &block_;
    warp.id.warp = i;
    std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - std::uint64_t{i} * kWarpSize);
    warp.threads = lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
    warp.left_at.assign(kWarpSize, 0);
  }
  const Program& program = *launch.program;
  block_.shared.resize(program.dynamic_shared_offset + launch.dynamic_shared_bytes);
  block_.shared_shadow.resize(block_.shared.size());
}

// A block that stopped has not flushed.
BlockRunner::~BlockRunner() {
  flush_output();
  notify_counts();
}

BlockRunner::Count* BlockRunner::counts_of(const Program& program) {
  if (&program == counted_) return counts_now_;
  std::vector<Count>& counts = counts_[&program];
  if (counts.empty()) counts.resize(program.basic_blocks.size());
  counted_ = &program;
  return counts_now_ = counts.data();
}

void BlockRunner::notify_counts() {
  for (const auto& [program, counts] : counts_) {
    // The implicit return behind the last instruction is not one of the PTX.
    const auto instructions = static_cast<std::uint32_t>(program->function->instructions.size());
    for (std::size_t b = 0; b < counts.size(); ++b) {
      const auto [warps, lanes, divergent] = counts[b];
      const auto [first, last] = std::pair(program->basic_blocks[b].first, program->basic_blocks[b].last);
      if (warps == 0 || first >= instructions) continue;
      const DecodedInstruction& end = program->instructions[last];
      const bool branches = end.kind == InstructionKind::branch && end.guard != kNoOperand;
      const RunCount run{program->function,    first,    std::min(last, instructions - 1), warps, lanes,
                         branches ? warps : 0, divergent};
      for (Observer* observer : launch_.observers) observer->executed(run);
    }
  }
  std::uint64_t of_f32 = 0, of_f64 = 0;
  for (const Warp& warp : block_.warps) of_f32 += warp.slow_divisions, of_f64 += warp.slow_double_divisions;
  if (of_f32 + of_f64 == 0) return;
  for (Observer* observer : launch_.observers) observer->divided_slowly(of_f32, of_f64);
}

void BlockRunner::notify_run_ended(const Warp& warp) {
  for (Observer* observer : launch_.run_observers) observer->run_ended(warp.id);
}

void BlockRunner::branch_ends_run(const Warp& warp, const BasicBlock& basic_block, LaneMask taken,
                                  LaneMask others) {
  const bool ends = (taken != 0 && !basic_block.goes_on_there) || (others != 0 && !basic_block.goes_on);
  if (ends && !launch_.run_observers.empty()) notify_run_ended(warp);
}

BlockRunner::State BlockRunner::run(std::int64_t turn) {
  const State state = take_turn(turn);
  if (state != State::complete) return state;
  notify_issued(block_);
  for (Observer* observer : launch_.observers) observer->block_end(block_.index);
  if (launch_.blocks_done != nullptr) launch_.blocks_done->fetch_add(1, std::memory_order_relaxed);
  return state;
}

BlockRunner::State BlockRunner::take_turn(std::int64_t turn) {
  const std::int64_t end = budget_ - turn;
  const bool converged = schedule_.in_order() && !launch_.cooperative && block_.warps.size() > 1;
  for (;;) {
    const std::uint64_t passed = block_.barriers_passed;
    block_.polling = 0;
    bool moved = converged && run_converged(), waiting = false;
    bool worked = moved && block_.polling == 0;  // and did not only ask for what another block is to write
    if (block_.stopped || launch_.abandoned()) return State::stopped;
    for (std::uint32_t index : schedule_.order(block_.warps.size())) {
      Warp& warp = block_.warps[index];
      if (warp.fragments.empty()) continue;
      if (polls(warp)) {
        waiting = true;
        continue;
      }
      if (block_.waits != 0) moved = poll_waits(warp) || moved;
      const bool ran = run_warp(warp);
      moved = ran || moved;
      worked = worked || (ran && !polls(warp));
      if (block_.stopped || launch_.abandoned()) return State::stopped;
      waiting = waiting || !warp.fragments.empty();
      if (converged && block_.barriers_passed != passed) {  // warps that it released may be converged again
        waiting = true;
        break;
      }
    }
    if (!waiting) {
      flush_output();
      return State::complete;
    }
    if (moved && (budget_ < end || (!worked && block_.polling != 0))) return State::paused;
    if (moved) continue;
    // The last chance: lanes that a *_sync waits for may have left since.
    bool released = false;
    for (Warp& warp : block_.warps) released = release_syncs(warp) || released;
    for (Warp& warp : block_.warps) released = released || release_joins(warp);
    if (released) continue;
    if (block_.cluster != nullptr && !may_fail_polls_) return State::paused;
    may_fail_polls_ = block_.cluster == nullptr;
    if (fail_polls(block_)) continue;
    raise_deadlock(block_);
    return State::stopped;
  }
}

void BlockRunner::begin(std::uint64_t index) {
  const Dim3& grid = launch_.info.grid;
  block_.index = index;
  block_.position = {static_cast<std::uint32_t>(index % grid.x),
                     static_cast<std::uint32_t>(index / grid.x % grid.y),
                     static_cast<std::uint32_t>(index / grid.x / grid.y)};
  // Shared memory is undefined when a block starts; between the arrays lie guards.
  std::fill(block_.shared_shadow.begin(), block_.shared_shadow.end(), std::uint8_t{0});
  for (const SharedVariable& variable : launch_.program->shared) {
    const bool cleared = variable.name == kReservedShared;  // what the system keeps for itself
    if (cleared) std::memset(block_.shared.data() + variable.offset, 0, variable.bytes);
    std::memset(block_.shared_shadow.data() + variable.offset,
                cleared ? GlobalMemory::kGood : GlobalMemory::kLive, variable.bytes);
  }
  if (launch_.dynamic_shared_bytes > 0)
    std::memset(block_.shared_shadow.data() + launch_.program->dynamic_shared_offset, GlobalMemory::kLive,
                launch_.dynamic_shared_bytes);
  for (Barrier& barrier : block_.barriers) barrier.clear();
  block_.alive = static_cast<std::uint32_t>(launch_.info.block.count());
  block_.stopped = false;
  block_.waits = block_.failed_polls = 0;
  block_.warpgroups.clear();
  block_.printed = 0;
  block_.alone.reset();
  for (Warp& warp : block_.warps) {
    warp.id.block = index;
    warp.alive = warp.threads;
    warp.issued = 0;
    warp.poll = {};
    warp.joins.clear();
    warp.fragments.clear();
    if (warp.entry_frame)
      write_unset(*warp.entry_frame);
    else
      warp.entry_frame = make_frame(warp, *launch_.program, nullptr);
    Fragment start;
    start.frame = warp.entry_frame;
    start.lanes = warp.threads;
    warp.fragments.push_back(std::move(start));
  }
  write_block_specials(block_);
  for (Observer* observer : launch_.observers) observer->block_begin(index);
}

void BlockRunner::flush_output() {
  if (std::string* to = launch_.output; to != nullptr && to->size() < kMaxOutput)
    to->append(block_.output, 0, kMaxOutput - to->size());
  block_.output.clear();
}

/// Runs what is ready in a warp, one slice at most. False when nothing was.
bool BlockRunner::run_warp(Warp& warp) {
  bool moved = false;
  std::int64_t slice = schedule_.slice();
  if (launch_.cooperative) slice = std::min(slice, kCooperativeSlice);
  const std::uint64_t passed = block_.barriers_passed;
  while (slice > 0 && !block_.stopped && block_.barriers_passed == passed && !polls(warp)) {
    std::size_t ready = next_ready(warp);
    if (ready == warp.fragments.size()) break;
    if (!schedule_.in_order()) {
      std::size_t count = 0;
      for (std::size_t i = ready; i < warp.fragments.size(); i = next_ready(warp, i + 1)) ++count;
      for (std::size_t skip = schedule_.pick(count); skip > 0; --skip) ready = next_ready(warp, ready + 1);
    }
    Fragment fragment = take_fragment(warp, ready);
    moved = true;
    const std::int64_t before = budget_;
    run_fragment(warp, fragment, slice);
    slice -= before - budget_;
  }
  return moved;
}

/// Runs until the lanes wait, meet others, leave, or have used up the slice; where wanted, no further than to
/// where the whole warp is together. The fragment is back in the warp's list then, or gone.
void BlockRunner::run_fragment(Warp& warp, Fragment& fragment, std::int64_t slice, bool until_converged) {
  const std::int64_t end = budget_ - slice;
  for (;;) {
    // What holds until a call or a return. `at` and `lanes` are the fragment's, kept at hand.
    Frame* const frame = fragment.frame.get();
    const Program& program = *frame->program;
    Count* const counts = counts_of(program);
    enter_frame(warp, *frame);
    do {
      const std::uint32_t at = fragment.basic_block;
      const LaneMask lanes = fragment.lanes;
      const BasicBlock& basic_block = program.basic_blocks[at];
      const std::uint32_t before_last = basic_block.last - basic_block.first;
      const DecodedInstruction* decoded = program.instructions.data() + basic_block.first;
      const DecodedInstruction* const last = decoded + before_last;
      // Here and not behind the block: a loop around a barrier hands its warp back before it gets there.
      if (budget_ < 0) return stop_block(warp, *last, lanes, FaultKind::endless_loop);
      for (; decoded != last; ++decoded) run_instruction(warp, *decoded, lanes);
      budget_ -= before_last + 1;
      warp.issued += before_last + 1;
      counts[at].add(lanes);
      if (last->kind == InstructionKind::branch) {
        const LaneMask taken = guarded(warp, *last, lanes), others = lanes & ~taken;
        branch_ends_run(warp, basic_block, taken, others);
        if (taken != 0 && others != 0) {
          ++counts[at].divergent;
          if (!part(warp, fragment, *last, basic_block, taken)) return;
        } else if (!enter_basic_block(warp, fragment, others == 0 ? last->target : at + 1)) {
          return;
        }
      } else {
        if (!basic_block.goes_on && !launch_.run_observers.empty()) notify_run_ended(warp);
        if (last->kind == InstructionKind::plain) {
          run_instruction(warp, *last, lanes);
          if (!enter_basic_block(warp, fragment, at + 1)) return;
        } else if (!finish(warp, fragment, *last, basic_block)) {
          return;
        }
      }
      if (budget_ < end || polls(warp) || (until_converged && fragment.lanes == warp.threads)) {
        warp.fragments.push_back(std::move(fragment));
        return;
      }
    } while (fragment.frame.get() == frame);
  }
}

/// The last instruction of a basic block. True when the fragment goes on (it is at its next one then).
bool BlockRunner::finish(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                         const BasicBlock& basic_block) {
  LaneMask lanes = guarded(warp, decoded, fragment.lanes);
  std::uint32_t next = fragment.basic_block + 1;
  switch (decoded.kind) {
    case InstructionKind::plain:
    case InstructionKind::branch:
      break;  // in run_fragment()
    case InstructionKind::indexed_branch:
      return indexed_branch(warp, fragment, decoded, basic_block);
    case InstructionKind::ret:
      if (fragment.frame->caller) return leave_function(warp, fragment, lanes, next);
      [[fallthrough]];
    case InstructionKind::exit:
      return leave_kernel(warp, fragment, decoded, lanes, next);
    case InstructionKind::call:
      return enter_function(warp, fragment, decoded, lanes, next);
    case InstructionKind::barrier:
    case InstructionKind::arrive: {
      if (lanes == 0) return enter_basic_block(warp, fragment, next);
      std::uint32_t index = basic_block.last;
      if (lanes != fragment.lanes) part_until(warp, fragment, lanes, next);
      if (arrive_at_barrier(block_, warp, fragment, index, lanes)) return false;
      return enter_basic_block(warp, fragment, next);
    }
    case InstructionKind::warp_sync:
      return synchronise(warp, fragment, decoded, basic_block, lanes);
    case InstructionKind::wait:
      return come_to_wait(block_, warp, fragment, basic_block.last, lanes, next);
    case InstructionKind::trap:
      if (lanes == 0) return enter_basic_block(warp, fragment, next);
      trap(warp, decoded, lanes);
      return false;
  }
  return false;
}

/// A trap instruction, or an assert that failed.
void BlockRunner::trap(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes) {
  RawFault fault;
  fault.kind = FaultKind::trap;
  fault.instruction = decoded.instruction;
  fault.function = warp.frame->program->function;
  fault.block = warp.id.block;
  fault.thread = warp.id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
  if (decoded.data[0] != kNoOperand) fault.note = assert_note(warp, decoded, std::countr_zero(lanes));
  launch_.faults->add(fault);
  block_.stopped = true;
}

/// Some lanes take the branch, the others go on. True when some of them are in `fragment` and may go on.
bool BlockRunner::part(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                       const BasicBlock& basic_block, LaneMask taken) {
  const LaneMask others = fragment.lanes & ~taken;
  if (basic_block.join != kExit) fragment.join = join_at(warp, fragment, basic_block.join, fragment.lanes);
  Fragment away = fragment;
  away.lanes = taken;
  fragment.lanes = others;
  std::uint32_t next = fragment.basic_block + 1;
  bool away_lives = enter_basic_block(warp, away, decoded.target);
  bool stays = enter_basic_block(warp, fragment, next);
  if (!away_lives) return stays;
  if (!stays) {
    fragment = std::move(away);
    return true;
  }
  warp.fragments.push_back(std::move(away));
  return true;
}

bool BlockRunner::indexed_branch(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                                 const BasicBlock& basic_block) {
  const auto& table = fragment.frame->program->branch_tables[decoded.extra];
  const std::uint32_t* index = warp.lanes_of<std::uint32_t>(decoded.a);
  LaneMask rest = guarded(warp, decoded, fragment.lanes);
  Fragment whole = fragment;
  std::vector<Fragment> parts;
  auto add = [&](LaneMask lanes, std::uint32_t target) {
    Fragment part = whole;
    part.lanes = lanes;
    part.basic_block = target;
    parts.push_back(std::move(part));
  };
  if (LaneMask stay = fragment.lanes & ~rest) add(stay, fragment.basic_block + 1);
  while (rest != 0) {
    std::uint32_t value = index[std::countr_zero(rest)];
    LaneMask same = 0;
    for (const int lane : lanes_in(rest))
      if (index[lane] == value) same |= LaneMask{1} << lane;
    if (value >= table.size()) {
      stop_block(warp, decoded, same, FaultKind::invalid_call);
      return false;
    }
    add(same, table[value]);
    rest &= ~same;
  }
  const bool split = parts.size() > 1;
  int join =
      split && basic_block.join != kExit ? join_at(warp, whole, basic_block.join, whole.lanes) : whole.join;
  for (Fragment& part : parts) {
    part.join = join;
    if (enter_basic_block(warp, part, part.basic_block)) warp.fragments.push_back(std::move(part));
  }
  return false;  // all parts are in the list
}

bool BlockRunner::leave_kernel(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                               LaneMask lanes, std::uint32_t next) {
  if (lanes == 0) return enter_basic_block(warp, fragment, next);
  warp.alive &= ~lanes;
  block_.alive -= static_cast<std::uint32_t>(std::popcount(lanes));
  for (const int lane : lanes_in(lanes)) warp.left_at[static_cast<std::size_t>(lane)] = decoded.instruction;
  fragment.lanes &= ~lanes;
  remove_lanes(warp, fragment.join, lanes, fragment.lanes == 0);
  recheck_barriers(block_);
  return fragment.lanes != 0 && enter_basic_block(warp, fragment, next);
}

}  // namespace fusebox::sim
