#include "grader/simulator/exec/execution/waiting.h"

#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/instructions/async/mbarrier.h"
#include "grader/simulator/exec/instructions/cluster_ops.h"
#include "grader/simulator/exec/instructions/warpgroup/warpgroup.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

// A program may do other work after a poll that failed; one that only polls again hangs after so many.
constexpr std::uint32_t kMaxFailedPolls = 10'000;

LaneMask ready_lanes(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes) {
  switch (static_cast<WaitFor>(decoded.extra)) {
    case WaitFor::mbarrier:
      return mbarrier_ready(warp, decoded, lanes);
    case WaitFor::cluster:
      return cluster_ready(warp, decoded, lanes);
    case WaitFor::warpgroup:
      return warpgroup_ready(warp, decoded, lanes);
  }
  return 0;
}

void answer(Warp& warp, const DecodedInstruction& decoded, LaneMask lanes, LaneMask ready) {
  if (decoded.d != kNoOperand) {
    LaneMask& predicate = warp.predicate(decoded.d);
    predicate = (predicate & ~lanes) | ready;
  }
  if (static_cast<WaitFor>(decoded.extra) == WaitFor::mbarrier && ready != 0)
    notify_waited(warp, decoded, ready);
}

const DecodedInstruction& instruction_of(const Fragment& fragment) {
  return fragment.frame->program->instructions[fragment.waiting_at];
}

/// Resumes the fragments for which `goes` is true.
template <class Goes>
bool let_go(Warp& warp, Goes goes) {
  bool any = false;
  for (std::size_t i = 0; i < warp.fragments.size();) {
    if (warp.fragments[i].state != Fragment::State::at_wait) {
      ++i;
      continue;
    }
    enter_frame(warp, *warp.fragments[i].frame);
    const DecodedInstruction& decoded = instruction_of(warp.fragments[i]);
    const LaneMask lanes = warp.fragments[i].lanes, ready = ready_lanes(warp, decoded, lanes);
    if (!goes(decoded, lanes, ready)) {
      ++i;
      continue;
    }
    answer(warp, decoded, lanes, ready);
    Fragment fragment = std::move(warp.fragments[i]);
    warp.fragments.erase(warp.fragments.begin() + static_cast<std::ptrdiff_t>(i));
    --warp.block->waits;
    any = true;
    // A wait ends its basic block. A fragment that is put back is ready, and this loop skips it.
    if (enter_basic_block(warp, fragment, fragment.basic_block + 1))
      warp.fragments.push_back(std::move(fragment));
  }
  return any;
}

}  // namespace

bool come_to_wait(Block& block, Warp& warp, Fragment& fragment, std::uint32_t index, LaneMask lanes,
                  std::uint32_t next) {
  if (lanes == 0) return enter_basic_block(warp, fragment, next);
  const DecodedInstruction& decoded = fragment.frame->program->instructions[index];
  const LaneMask ready = ready_lanes(warp, decoded, lanes);
  if (block.stopped) return false;
  if (ready == lanes) {
    answer(warp, decoded, lanes, ready);
    return enter_basic_block(warp, fragment, next);
  }
  if (lanes != fragment.lanes) part_until(warp, fragment, lanes, next);
  fragment.state = Fragment::State::at_wait;
  fragment.waiting_at = index;
  warp.fragments.push_back(std::move(fragment));
  ++block.waits;
  return false;
}

bool poll_waits(Warp& warp) {
  return let_go(warp,
                [](const DecodedInstruction&, LaneMask lanes, LaneMask ready) { return ready == lanes; });
}

bool fail_polls(Block& block) {
  if (block.waits == 0 || ++block.failed_polls > kMaxFailedPolls) return false;
  bool any = false;
  for (Warp& warp : block.warps)
    any = let_go(warp, [](const DecodedInstruction& decoded, LaneMask,
                          LaneMask) { return static_cast<WaitFor>(decoded.extra) == WaitFor::mbarrier; }) ||
          any;
  return any;
}

}  // namespace fusebox::sim
