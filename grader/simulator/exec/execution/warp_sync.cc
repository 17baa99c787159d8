#include "grader/simulator/exec/execution/warp_sync.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/exec/execution/barriers.h"
#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/instructions/collective_lanes.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/memory/ordering.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

void check_members(Warp& warp, const DecodedInstruction& decoded, LaneMask needs, LaneMask not_named,
                   LaneMask lanes) {
  // A mask may name lanes that have left the kernel (the CUDA C++ programming guide: all non-exited threads
  // that it names must come); what a shuffle takes from one of them is nothing.
  LaneMask gone = needs & warp.threads & ~warp.alive;
  if (gone != 0 && (lanes_taken_from(warp, decoded, lanes) & gone) == 0) gone = 0;
  if (gone == 0 && not_named == 0) return;
  RawFault fault;
  fault.kind = not_named != 0 ? FaultKind::bad_mask : FaultKind::missing_lanes;
  fault.instruction = decoded.instruction;
  fault.function = warp.frame->program->function;
  fault.block = warp.id.block;
  fault.thread = warp.id.warp * kWarpSize +
                 static_cast<std::uint32_t>(std::countr_zero(not_named != 0 ? not_named : lanes));
  fault.note = not_named != 0
                   ? "the mask does not name " + describe_threads(warp, not_named) + ", which execute it"
                   : "the mask names " + describe_threads(warp, gone) + ", which left the kernel";
  warp.block->launch->faults->add(fault);
}

const DecodedInstruction& collective_of(const Fragment& waiting) {
  return waiting.frame->program->instructions[waiting.waiting_at];
}

/// Whether two fragments wait for each other, wherever they are: an H200 lets lanes meet that come to the
/// same collective in both branches of an `if`, or in different rounds of a loop, and not at different ones.
/// Parts of a warp whose masks do not name each other go on by themselves.
bool meets(const Fragment& f, const Fragment& other) {
  return f.state == Fragment::State::at_sync && other.state == Fragment::State::at_sync &&
         (f.lanes == other.lanes || ((f.needs & other.lanes) | (other.needs & f.lanes)) != 0) &&
         collective_of(f).run == collective_of(other).run;
}

/// Carries out what all fragments of a group have come to, with the registers of each.
void run_together(Warp& warp, const std::vector<Fragment>& group, LaneMask here) {
  for (const Fragment& f : group) {  // some may have left while others waited
    enter_frame(warp, *f.frame);
    check_members(warp, collective_of(f), f.needs, 0, f.lanes);
  }
  const Fragment& first = group.front();
  const DecodedInstruction& decoded = collective_of(first);
  enter_frame(warp, *first.frame);
  const auto is_elsewhere = [&](const Fragment& f) {
    return f.frame != first.frame || f.waiting_at != first.waiting_at;
  };
  if (std::none_of(group.begin(), group.end(), is_elsewhere)) return decoded.run(warp, decoded, here);
  CollectiveLanes kept, brought;
  read_lanes(warp, decoded, ~LaneMask{0}, kept);
  LaneMask elsewhere = 0;
  for (const Fragment& f : group) {
    if (!is_elsewhere(f)) continue;
    enter_frame(warp, *f.frame);
    read_lanes(warp, collective_of(f), f.lanes, brought);
    elsewhere |= f.lanes;
  }
  enter_frame(warp, *first.frame);
  write_operands(warp, decoded, elsewhere, brought);
  decoded.run(warp, decoded, here);
  read_lanes(warp, decoded, elsewhere, brought);
  write_operands(warp, decoded, elsewhere, kept);
  write_results(warp, decoded, elsewhere, kept);
  for (const Fragment& f : group) {
    if (!is_elsewhere(f)) continue;
    enter_frame(warp, *f.frame);
    write_results(warp, collective_of(f), f.lanes, brought);
  }
}

}  // namespace

bool synchronise(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded,
                 const BasicBlock& basic_block, LaneMask lanes) {
  std::uint32_t next = fragment.basic_block + 1;
  if (lanes == 0) return enter_basic_block(warp, fragment, next);
  const std::uint32_t* members = warp.lanes_of<std::uint32_t>(decoded.c);
  LaneMask named_by_all = ~LaneMask{0};
  for (int l = 0; l < kWarpSize; ++l) named_by_all &= members[l];
  if (lanes == ~LaneMask{0} && named_by_all == lanes) {  // the whole warp, and every lane says so
    decoded.run(warp, decoded, lanes);
    for (Observer* observer : warp.block->launch->observers) observer->warp_sync(warp.id, lanes, true);
    return enter_basic_block(warp, fragment, next);
  }
  LaneMask needs = 0, not_named = 0;
  for (const int l : lanes_in(lanes)) {
    needs |= members[l];
    if ((members[l] >> l & 1) == 0) not_named |= LaneMask{1} << l;
  }
  check_members(warp, decoded, needs, not_named, lanes);
  needs &= warp.alive;
  if ((needs & ~lanes) == 0) {
    decoded.run(warp, decoded, lanes);
    notify_warp_sync(warp, members, lanes);
    return enter_basic_block(warp, fragment, next);
  }
  fragment.state = Fragment::State::at_sync;
  fragment.waiting_at = basic_block.last;
  fragment.needs = needs;
  warp.fragments.push_back(std::move(fragment));
  release_syncs(warp);
  return false;
}

bool release_syncs(Warp& warp) {
  for (const Fragment& candidate : warp.fragments) {
    if (candidate.state != Fragment::State::at_sync) continue;
    LaneMask here = 0, needs = 0;
    for (const Fragment& f : warp.fragments)
      if (meets(f, candidate)) here |= f.lanes, needs |= f.needs;
    if ((needs & warp.alive & ~here) != 0) continue;
    std::vector<Fragment> group;
    const Fragment first = candidate;
    for (auto f = warp.fragments.begin(); f != warp.fragments.end();) {
      if (!meets(*f, first)) {
        ++f;
        continue;
      }
      group.push_back(std::move(*f));
      f = warp.fragments.erase(f);
    }
    run_together(warp, group, here);
    std::uint32_t members[kWarpSize];
    for (const Fragment& f : group) {
      enter_frame(warp, *f.frame);
      const auto* named = warp.lanes_of<std::uint32_t>(collective_of(f).c);
      for (const int lane : lanes_in(f.lanes)) members[lane] = named[lane];
    }
    notify_warp_sync(warp, members, here);
    for (Fragment& f : group)
      if (enter_basic_block(warp, f, f.basic_block + 1)) warp.fragments.push_back(std::move(f));
    return true;
  }
  return false;
}

}  // namespace fusebox::sim
