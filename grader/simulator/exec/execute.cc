#include "grader/simulator/exec/execute.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "grader/simulator/exec/barriers.h"
#include "grader/simulator/exec/ordering.h"
#include "grader/simulator/exec/print.h"
#include "grader/simulator/exec/schedule.h"
#include "grader/simulator/exec/warp_flow.h"

namespace fusebox::sim {

namespace {

bool is_race(FaultKind kind) { return kind == FaultKind::race || kind == FaultKind::race_same_value; }

/// Between the same two source lines, whichever came first: an unrolled loop is one mistake.
bool same_race(const RawFault& a, const RawFault& b) {
  if (!is_race(a.kind) || a.space != b.space) return false;
  const auto place = [](const auto& f) {
    const ptx::Location& at = f.function->instructions[f.instruction].location;
    return at.line > 0 ? std::tuple(at.file, std::int64_t{at.line})
                       : std::tuple(~0u, std::int64_t{f.instruction});
  };
  return (place(a) == place(b) && place(a.other) == place(b.other)) ||
         (place(a) == place(b.other) && place(a.other) == place(b));
}

}  // namespace

void FaultLog::add(const RawFault& fault) {
  for (RawFault& known : faults_) {
    if (is_race(fault.kind) ? !same_race(known, fault)
                            : known.kind != fault.kind || known.function != fault.function ||
                                  known.instruction != fault.instruction)
      continue;
    const std::uint64_t count = known.count + fault.count;
    // Writes that differ say more than writes that happened to agree.
    if (known.kind == FaultKind::race_same_value && fault.kind == FaultKind::race) known = fault;
    known.count = count;
    return;
  }
  // A kernel with more kinds of mistakes than this has been told enough.
  if (faults_.size() < 100) faults_.push_back(fault);
}

void raise_fault(Warp& w, const Step& s, FaultKind kind, int lane, Space space, AccessKind access,
                 std::uint64_t address, std::uint32_t bytes) {
  RawFault fault;
  fault.kind = kind;
  fault.space = space;
  fault.access = access;
  fault.bytes = static_cast<std::uint8_t>(bytes);
  fault.address = address;
  fault.instruction = s.instruction;
  fault.function = w.frame->program->function;
  fault.block = w.id.block;
  fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  w.block->launch->faults->add(fault);
}

namespace {

// A block that has taken this many warp instructions may be waiting for another one: that gets its turn. Once
// several take turns, they are shorter.
constexpr std::int64_t kFirstTurn = 100'000, kTurn = 20'000;
// Blocks that take turns at most. A cooperative launch has all of its own.
constexpr std::size_t kBlocksPerSm = 2;
// From how many of the next blocks a shuffled schedule takes one.
constexpr std::size_t kShuffledBlocks = 64;

class BlockRunner {
 public:
  BlockRunner(Launch& launch, Schedule& schedule, std::int64_t& budget)
      : launch_(launch), schedule_(schedule), budget_(budget) {
    block_.launch = &launch;
    std::uint64_t threads = launch.info.block.count();
    block_.warps.resize((threads + kWarpSize - 1) / kWarpSize);
    for (std::uint32_t i = 0; i < block_.warps.size(); ++i) {
      Warp& warp = block_.warps[i];
      warp.block = &block_;
      warp.id.warp = i;
      std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - std::uint64_t{i} * kWarpSize);
      warp.threads = lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
      warp.exit_steps.assign(kWarpSize, 0);
    }
    const Program& program = *launch.program;
    block_.shared.resize(program.dynamic_shared_offset + launch.dynamic_shared_bytes);
    block_.shared_shadow.resize(block_.shared.size());
  }

  // A block that stopped has not flushed.
  ~BlockRunner() { flush_output(); }
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  enum class State { complete, paused, stopped };

  /// Runs the block that begin() prepared until it is complete, or for `turn` warp instructions and a little
  /// more.
  State run(std::int64_t turn) {
    const std::int64_t end = budget_ - turn;
    for (;;) {
      bool moved = false, waiting = false;
      for (std::uint32_t index : schedule_.order(block_.warps.size())) {
        Warp& warp = block_.warps[index];
        if (warp.fragments.empty()) continue;
        moved = run_warp(warp) || moved;
        if (stopped_) return State::stopped;
        waiting = waiting || !warp.fragments.empty();
      }
      if (!waiting) {
        flush_output();
        for (Observer* observer : launch_.observers) observer->block_end(block_.index);
        return State::complete;
      }
      if (moved && budget_ < end) return State::paused;
      if (moved) continue;
      // The last chance: lanes that a *_sync waits for may have left since.
      bool released = false;
      for (Warp& warp : block_.warps) released = release_syncs(warp) || released;
      for (Warp& warp : block_.warps) released = released || release_joins(warp);
      if (released) continue;
      raise_deadlock(block_);
      return State::stopped;
    }
  }

  void begin(std::uint64_t index) {
    const Dim3& grid = launch_.info.grid;
    block_.index = index;
    block_.position = {static_cast<std::uint32_t>(index % grid.x),
                       static_cast<std::uint32_t>(index / grid.x % grid.y),
                       static_cast<std::uint32_t>(index / grid.x / grid.y)};
    // Shared memory is undefined when a block starts; between the arrays lie guards.
    std::memset(block_.shared_shadow.data(), 0, block_.shared_shadow.size());
    for (const SharedVariable& variable : launch_.program->shared)
      std::memset(block_.shared_shadow.data() + variable.offset, GlobalMemory::kLive, variable.bytes);
    if (launch_.dynamic_shared_bytes > 0)
      std::memset(block_.shared_shadow.data() + launch_.program->dynamic_shared_offset, GlobalMemory::kLive,
                  launch_.dynamic_shared_bytes);
    block_.barriers = {};
    for (Warp& warp : block_.warps) {
      warp.id.block = index;
      warp.alive = warp.threads;
      warp.joins.clear();
      warp.fragments.clear();
      if (!warp.entry_frame)
        warp.entry_frame = make_frame(warp, *launch_.program, nullptr);
      else
        write_specials(warp, *warp.entry_frame, true);
      Fragment start;
      start.frame = warp.entry_frame;
      start.lanes = warp.threads;
      warp.fragments.push_back(std::move(start));
    }
    for (Observer* observer : launch_.observers) observer->block_begin(index);
  }

 private:
  void flush_output() {
    if (std::string* to = launch_.output; to != nullptr && to->size() < kMostOutput)
      to->append(block_.output, 0, kMostOutput - to->size());
    block_.output.clear();
  }

  /// Runs what is ready in a warp, one slice at most. False when nothing was.
  bool run_warp(Warp& warp) {
    bool moved = false;
    for (std::int64_t slice = schedule_.slice(); slice > 0 && !stopped_;) {
      auto is_ready = [](const Fragment& f) { return f.state == Fragment::State::ready; };
      auto ready = std::find_if(warp.fragments.begin(), warp.fragments.end(), is_ready);
      if (ready == warp.fragments.end()) break;
      if (!schedule_.in_order()) {
        auto count = std::count_if(ready, warp.fragments.end(), is_ready);
        for (std::size_t skip = schedule_.pick(static_cast<std::size_t>(count)); skip > 0; --skip)
          ready = std::find_if(ready + 1, warp.fragments.end(), is_ready);
      }
      Fragment fragment = std::move(*ready);
      warp.fragments.erase(ready);
      moved = true;
      std::int64_t before = budget_;
      run_fragment(warp, std::move(fragment), slice);
      slice -= before - budget_;
    }
    return moved;
  }

  /// Runs until the lanes wait, meet others, leave, or have used up the slice. The fragment is back in the
  /// warp's list then, or gone.
  void run_fragment(Warp& warp, Fragment fragment, std::int64_t slice) {
    const std::int64_t end = budget_ - slice;
    for (;;) {
      Frame& frame = *fragment.frame;
      const Program& program = *frame.program;
      const BasicBlock& block = program.blocks[fragment.block];
      const Step* last = &program.steps[block.last];
      warp.frame = &frame;
      warp.registers = frame.registers;
      warp.id.function = program.function;
      // Here and not behind the block: a loop around a barrier hands its warp back before it gets there.
      if (budget_ < 0) return stop(warp, *last, fragment.lanes, FaultKind::endless_loop);
      for (const Step* step = &program.steps[block.first]; step != last; ++step)
        run_step(warp, *step, fragment.lanes);
      budget_ -= block.last - block.first + 1;
      // The step behind the last instruction (a return that need not be written) is no instruction.
      std::uint32_t count = static_cast<std::uint32_t>(program.function->instructions.size());
      if (block.first < count)
        for (Observer* observer : launch_.observers)
          observer->issued(warp.id, block.first, std::min(block.last, count - 1), fragment.lanes);
      if (!finish(warp, fragment, *last, block)) return;
      if (budget_ < end) {
        warp.fragments.push_back(std::move(fragment));
        return;
      }
    }
  }

  static LaneMask guarded(Warp& warp, const Step& step, LaneMask lanes) {
    if (step.guard == kNoOperand) return lanes;
    LaneMask guard = warp.predicate(step.guard);
    return lanes & (step.guard_negated ? ~guard : guard);
  }

  static void run_step(Warp& warp, const Step& step, LaneMask lanes) {
    if (LaneMask active = guarded(warp, step, lanes)) step.run(warp, step, active);
  }

  /// The last step of a block. True when the fragment goes on (it is at its next block then).
  bool finish(Warp& warp, Fragment& fragment, const Step& step, const BasicBlock& block) {
    LaneMask lanes = guarded(warp, step, fragment.lanes);
    std::uint32_t next = fragment.block + 1;
    switch (step.kind) {
      case StepKind::plain:
        if (lanes != 0) step.run(warp, step, lanes);
        return enter_block(warp, fragment, next);
      case StepKind::branch:
        return branch(warp, fragment, step, block, lanes);
      case StepKind::indexed_branch:
        return indexed_branch(warp, fragment, step, block);
      case StepKind::ret:
        if (fragment.frame->caller) return leave_function(warp, fragment, lanes, next);
        [[fallthrough]];
      case StepKind::exit:
        return leave_kernel(warp, fragment, step, lanes, next);
      case StepKind::call:
        return enter_function(warp, fragment, step, lanes, next);
      case StepKind::barrier:
      case StepKind::arrive: {
        if (lanes == 0) return enter_block(warp, fragment, next);
        std::uint32_t index = block.last;
        if (lanes != fragment.lanes) {  // a guarded barrier: the others walk past it
          Fragment others = fragment;
          others.lanes = fragment.lanes & ~lanes;
          fragment.join = others.join = join_at(warp, fragment, next, fragment.lanes);
          fragment.lanes = lanes;
          if (enter_block(warp, others, next)) warp.fragments.push_back(std::move(others));
        }
        if (arrive_at_barrier(block_, warp, fragment, index, lanes)) return false;
        return enter_block(warp, fragment, next);
      }
      case StepKind::warp_sync:
        return synchronise(warp, fragment, step, block, lanes);
      case StepKind::trap:
        if (lanes == 0) return enter_block(warp, fragment, next);
        trap(warp, step, lanes);
        return false;
    }
    return false;
  }

  /// A trap instruction, or an assert that failed.
  void trap(Warp& warp, const Step& step, LaneMask lanes) {
    RawFault fault;
    fault.kind = FaultKind::trap;
    fault.instruction = step.instruction;
    fault.function = warp.frame->program->function;
    fault.block = warp.id.block;
    fault.thread = warp.id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (step.data[0] != kNoOperand) fault.note = assert_note(warp, step, std::countr_zero(lanes));
    launch_.faults->add(fault);
    stopped_ = true;
  }

  void stop(Warp& warp, const Step& step, LaneMask lanes, FaultKind kind) {
    raise_fault(warp, step, kind, std::countr_zero(lanes), Space::global, AccessKind::load, 0, 0);
    stopped_ = true;
  }

  bool branch(Warp& warp, Fragment& fragment, const Step& step, const BasicBlock& block, LaneMask taken) {
    LaneMask others = fragment.lanes & ~taken;
    if (step.guard != kNoOperand)
      for (Observer* observer : launch_.observers) observer->branch(warp.id, step.instruction, taken, others);
    if (others == 0) return enter_block(warp, fragment, step.target);
    if (taken == 0) return enter_block(warp, fragment, fragment.block + 1);
    if (block.join != kExit) fragment.join = join_at(warp, fragment, block.join, fragment.lanes);
    Fragment away = fragment;
    away.lanes = taken;
    fragment.lanes = others;
    std::uint32_t next = fragment.block + 1;
    bool away_lives = enter_block(warp, away, step.target);
    bool stays = enter_block(warp, fragment, next);
    if (!away_lives) return stays;
    if (!stays) {
      fragment = std::move(away);
      return true;
    }
    warp.fragments.push_back(std::move(away));
    return true;
  }

  bool indexed_branch(Warp& warp, Fragment& fragment, const Step& step, const BasicBlock& block) {
    const auto& table = fragment.frame->program->branch_tables[step.extra];
    const std::uint32_t* index = warp.lanes_of<std::uint32_t>(step.a);
    LaneMask rest = guarded(warp, step, fragment.lanes);
    Fragment whole = fragment;
    bool split = false;
    std::vector<Fragment> parts;
    auto add = [&](LaneMask lanes, std::uint32_t target) {
      Fragment part = whole;
      part.lanes = lanes;
      part.block = target;
      parts.push_back(std::move(part));
    };
    if (LaneMask stay = fragment.lanes & ~rest) add(stay, fragment.block + 1);
    while (rest != 0) {
      std::uint32_t value = index[std::countr_zero(rest)];
      LaneMask same = 0;
      for (LaneMask look = rest; look != 0; look &= look - 1)
        if (index[std::countr_zero(look)] == value) same |= look & (~look + 1);
      if (value >= table.size()) {
        stop(warp, step, same, FaultKind::invalid_call);
        return false;
      }
      add(same, table[value]);
      rest &= ~same;
    }
    split = parts.size() > 1;
    int join = split && block.join != kExit ? join_at(warp, whole, block.join, whole.lanes) : whole.join;
    for (Fragment& part : parts) {
      part.join = join;
      if (enter_block(warp, part, part.block)) warp.fragments.push_back(std::move(part));
    }
    return false;  // all parts are in the list
  }

  bool leave_kernel(Warp& warp, Fragment& fragment, const Step& step, LaneMask lanes, std::uint32_t next) {
    if (lanes == 0) return enter_block(warp, fragment, next);
    warp.alive &= ~lanes;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
      warp.exit_steps[static_cast<std::size_t>(std::countr_zero(rest))] = step.instruction;
    fragment.lanes &= ~lanes;
    remove_lanes(warp, fragment.join, lanes, fragment.lanes == 0);
    recheck_barriers(block_);
    return fragment.lanes != 0 && enter_block(warp, fragment, next);
  }

  bool enter_function(Warp& warp, Fragment& fragment, const Step& step, LaneMask lanes, std::uint32_t next) {
    if (lanes == 0) return enter_block(warp, fragment, next);
    const CallSite& site = fragment.frame->program->calls[step.extra];
    if (site.callee == nullptr) return enter_functions(warp, fragment, step, site, lanes, next);
    const Program* callee = launch_.module->find(site.callee);
    std::shared_ptr<Frame> frame = callee == nullptr ? nullptr : make_frame(warp, *callee, fragment.frame);
    if (!frame) {
      stop(warp, step, lanes, callee == nullptr ? FaultKind::invalid_call : FaultKind::endless_loop);
      return false;
    }
    frame->call_step = static_cast<std::uint32_t>(&step - fragment.frame->program->steps.data());
    copy_arguments(warp, lanes, site.arguments, fragment.frame->local_base, frame->local_base);
    int join = join_at(warp, fragment, next, fragment.lanes);
    if (LaneMask others = fragment.lanes & ~lanes) {
      Fragment stay = fragment;
      stay.lanes = others;
      stay.join = join;
      if (enter_block(warp, stay, next)) warp.fragments.push_back(std::move(stay));
    }
    fragment.join = join;
    fragment.lanes = lanes;
    fragment.frame = std::move(frame);
    fragment.block = 0;
    return true;
  }

  /// A call through a pointer: lanes that call the same function enter it together.
  bool enter_functions(Warp& warp, Fragment& fragment, const Step& step, const CallSite& site, LaneMask lanes,
                       std::uint32_t next) {
    const std::uint64_t* pointers = warp.lanes_of<std::uint64_t>(step.a);
    std::vector<Fragment> parts;
    for (LaneMask rest = lanes; rest != 0;) {
      std::uint64_t pointer = pointers[std::countr_zero(rest)];
      LaneMask same = 0;
      for (LaneMask look = rest; look != 0; look &= look - 1)
        if (pointers[std::countr_zero(look)] == pointer) same |= look & (~look + 1);
      rest &= ~same;
      const Program* callee = launch_.module->find(pointer);
      auto same_sizes = [](const auto& a, const auto& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const FramePlace& x, const FramePlace& y) { return x.bytes == y.bytes; });
      };
      bool fits = callee != nullptr && !callee->function->entry &&
                  same_sizes(callee->parameters, site.actual_arguments) &&
                  same_sizes(callee->returns, site.actual_results);
      std::shared_ptr<Frame> frame = fits ? make_frame(warp, *callee, fragment.frame) : nullptr;
      if (!frame) {
        stop(warp, step, same, fits ? FaultKind::endless_loop : FaultKind::invalid_call);
        return false;
      }
      frame->call_step = static_cast<std::uint32_t>(&step - fragment.frame->program->steps.data());
      std::vector<CallSite::Argument> list;
      for (std::size_t k = 0; k < site.actual_arguments.size(); ++k)
        list.push_back(
            {site.actual_arguments[k].offset, callee->parameters[k].offset, callee->parameters[k].bytes});
      copy_arguments(warp, same, list, fragment.frame->local_base, frame->local_base);
      Fragment part = fragment;
      part.lanes = same;
      part.frame = std::move(frame);
      part.block = 0;
      parts.push_back(std::move(part));
    }
    int join = join_at(warp, fragment, next, fragment.lanes);
    if (LaneMask others = fragment.lanes & ~lanes) {
      Fragment stay = fragment;
      stay.lanes = others;
      stay.join = join;
      if (enter_block(warp, stay, next)) warp.fragments.push_back(std::move(stay));
    }
    for (Fragment& part : parts) {
      part.join = join;
      warp.fragments.push_back(std::move(part));
    }
    return false;  // all parts are in the list
  }

  bool leave_function(Warp& warp, Fragment& fragment, LaneMask lanes, std::uint32_t next) {
    if (lanes == 0) return enter_block(warp, fragment, next);
    std::shared_ptr<Frame> frame = fragment.frame, caller = frame->caller;
    const Step& call = caller->program->steps[frame->call_step];
    const CallSite& site = caller->program->calls[call.extra];
    copy_arguments(warp, lanes, site.results, frame->local_base, caller->local_base);
    for (std::size_t k = 0; k < site.actual_results.size(); ++k)  // a call through a pointer
      copy_arguments(
          warp, lanes,
          {{frame->program->returns[k].offset, site.actual_results[k].offset, site.actual_results[k].bytes}},
          frame->local_base, caller->local_base);
    if (LaneMask others = fragment.lanes & ~lanes) {
      Fragment stay = fragment;
      stay.lanes = others;
      if (enter_block(warp, stay, next)) warp.fragments.push_back(std::move(stay));
    }
    fragment.lanes = lanes;
    fragment.frame = caller;
    // The call ended its block; its successor is where all callers meet again.
    std::uint32_t back = 0;
    for (std::uint32_t b = 0; b < caller->program->blocks.size(); ++b)
      if (caller->program->blocks[b].last == frame->call_step) back = b + 1;
    return enter_block(warp, fragment, back);
  }

  static void copy_arguments(Warp& warp, LaneMask lanes, const std::vector<CallSite::Argument>& list,
                             std::uint32_t from, std::uint32_t to) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      unsigned char* stack =
          warp.local.data() + static_cast<std::size_t>(std::countr_zero(rest)) * warp.local_bytes;
      for (const CallSite::Argument& argument : list)
        std::memmove(stack + to + argument.to, stack + from + argument.from, argument.bytes);
    }
  }

  /// A *_sync instruction: runs at once when all lanes that its masks name are here, which is nearly always.
  bool synchronise(Warp& warp, Fragment& fragment, const Step& step, const BasicBlock& block,
                   LaneMask lanes) {
    std::uint32_t next = fragment.block + 1;
    if (lanes == 0) return enter_block(warp, fragment, next);
    const std::uint32_t* members = warp.lanes_of<std::uint32_t>(step.c);
    LaneMask needs = 0, not_named = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      int l = std::countr_zero(rest);
      needs |= members[l];
      if ((members[l] >> l & 1) == 0) not_named |= LaneMask{1} << l;
    }
    check_members(warp, step, needs, not_named, lanes);
    needs &= warp.alive;
    if ((needs & ~lanes) == 0) {
      step.run(warp, step, lanes);
      tell_warp_sync(warp, members, lanes);
      return enter_block(warp, fragment, next);
    }
    fragment.state = Fragment::State::at_sync;
    fragment.waiting_step = block.last;
    fragment.needs = needs;
    warp.fragments.push_back(std::move(fragment));
    release_syncs(warp);
    return false;
  }

  void check_members(Warp& warp, const Step& step, LaneMask needs, LaneMask not_named, LaneMask lanes) {
    LaneMask gone = needs & warp.threads & ~warp.alive;
    if (gone == 0 && not_named == 0) return;
    RawFault fault;
    fault.kind = FaultKind::bad_mask;
    fault.instruction = step.instruction;
    fault.function = warp.frame->program->function;
    fault.block = warp.id.block;
    fault.thread = warp.id.warp * kWarpSize +
                   static_cast<std::uint32_t>(std::countr_zero(not_named != 0 ? not_named : lanes));
    fault.note = not_named != 0
                     ? "the mask does not name " + describe_threads(warp, not_named) + ", which executes it"
                     : "the mask names " + describe_threads(warp, gone) + ", which left the kernel";
    launch_.faults->add(fault);
  }

  /// Runs *_sync instructions for which everyone has come, fragment by fragment of those that wait at the
  /// same place.
  bool release_syncs(Warp& warp) {
    for (const Fragment& candidate : warp.fragments) {
      if (candidate.state != Fragment::State::at_sync) continue;
      const Step& step = candidate.frame->program->steps[candidate.waiting_step];
      bool only_waits =
          step.run == nullptr || step.d == kNoOperand;  // bar.warp.sync: lanes may come from different places
      LaneMask here = 0, needs = 0;
      auto belongs = [&](const Fragment& f) {
        return f.state == Fragment::State::at_sync && f.frame == candidate.frame &&
               (f.waiting_step == candidate.waiting_step ||
                (only_waits && f.frame->program->steps[f.waiting_step].d == kNoOperand));
      };
      for (const Fragment& f : warp.fragments)
        if (belongs(f)) here |= f.lanes, needs |= f.needs;
      if ((needs & warp.alive & ~here) != 0) continue;
      std::vector<Fragment> group;
      Fragment pattern = candidate;
      for (auto f = warp.fragments.begin(); f != warp.fragments.end();) {
        bool same = f->state == Fragment::State::at_sync && f->frame == pattern.frame &&
                    (f->waiting_step == pattern.waiting_step ||
                     (only_waits && f->frame->program->steps[f->waiting_step].d == kNoOperand));
        if (!same) {
          ++f;
          continue;
        }
        group.push_back(std::move(*f));
        f = warp.fragments.erase(f);
      }
      warp.frame = pattern.frame.get();
      warp.registers = pattern.frame->registers;
      warp.id.function = pattern.frame->program->function;
      step.run(warp, step, here);
      std::uint32_t members[kWarpSize];
      for (const Fragment& f : group) {
        const auto* named = warp.lanes_of<std::uint32_t>(f.frame->program->steps[f.waiting_step].c);
        for (LaneMask rest = f.lanes; rest != 0; rest &= rest - 1)
          members[std::countr_zero(rest)] = named[std::countr_zero(rest)];
      }
      tell_warp_sync(warp, members, here);
      for (Fragment& f : group)
        if (enter_block(warp, f, f.block + 1)) warp.fragments.push_back(std::move(f));
      return true;
    }
    return false;
  }

  Launch& launch_;
  Schedule& schedule_;
  Block block_;
  std::int64_t& budget_;  ///< of the launch
  bool stopped_ = false;
};

/// Blocks take turns only when one of them takes long; else each runs to its end before the next begins.
bool run_blocks(Launch& launch, const LaunchLimits& limits) {
  Schedule schedule(launch.schedule);
  std::int64_t budget = static_cast<std::int64_t>(limits.max_warp_instructions);
  const std::uint64_t blocks = launch.info.grid.count();
  const bool shuffled = !schedule.in_order();
  const std::size_t room = launch.cooperative ? blocks
                           : shuffled         ? kShuffledBlocks
                                              : std::size_t{launch.sms} * kBlocksPerSm;
  std::vector<std::unique_ptr<BlockRunner>> running, idle;
  std::uint64_t next = 0;
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
    switch (running[turn]->run(shuffled ? schedule.slice() : all_wait ? kTurn : kFirstTurn)) {
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

Ending execute(Launch& launch, const LaunchLimits& limits) {
  for (Observer* observer : launch.observers) observer->launch_begin(launch.info);
  Ending ending = run_blocks(launch, limits) ? Ending::complete : Ending::stopped;
  for (Observer* observer : launch.observers) observer->launch_end();
  return ending;
}

}  // namespace fusebox::sim
