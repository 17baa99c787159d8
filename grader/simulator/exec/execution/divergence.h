#pragma once

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

// How the lanes of a warp diverge and reconverge: fragments are the warp splits, joins the reconvergence
// points. Nothing here executes an instruction.

/// Puts `fragment` (not in the warp's list) at the start of `basic_block`; when that is where its lanes meet
/// others, it merges. False when it ended there, waiting to be merged by the last one to come.
inline bool enter_basic_block(Warp& warp, Fragment& fragment, std::uint32_t basic_block);
/// The rest of it, for a fragment that has somewhere to meet.
bool enter_join(Warp& warp, Fragment& fragment);

/// The first fragment from index `from` on that may go ahead; the number of fragments when there is none.
inline std::size_t next_ready(const Warp& warp, std::size_t from = 0) {
  while (from < warp.fragments.size() && warp.fragments[from].state != Fragment::State::ready) ++from;
  return from;
}

/// Takes the fragment at `index` out of the warp's list; the others keep their order.
inline Fragment take_fragment(Warp& warp, std::size_t index);

/// A join of `lanes` at `basic_block` of the fragment's frame; its own when it already meets there.
int join_at(Warp& warp, const Fragment& fragment, std::uint32_t basic_block, LaneMask lanes);

/// Some lanes of a fragment (not in the warp's list) do what the others walk past: a guarded barrier, a call.
/// The others go on at basic block `next`, in the list; the fragment is of `lanes` then, and meets them
/// there.
void part_until(Warp& warp, Fragment& fragment, LaneMask lanes, std::uint32_t next);

/// `lanes` have left the kernel. When that completes a join, the fragment that was waiting there is added to
/// the warp.
void remove_lanes(Warp& warp, int join, LaneMask lanes, bool fragment_ended);

/// Nothing in the block can move: lanes that wait for others at a join go ahead without them, as hardware
/// lets them. False when there were none.
bool release_joins(Warp& warp);

/// A new activation of `program` for a call; grows the warp's local memory where needed. Null when the stack
/// is full.
FrameRef make_frame(Warp& warp, const Program& program, FrameRef caller);

/// Handlers work on this frame of the warp from now on.
inline void enter_frame(Warp& warp, Frame& frame) {
  warp.frame = &frame;
  warp.registers = frame.registers;
  warp.id.function = frame.program->function;
}

/// Fills registers that hold constants.
void write_constants(Frame& frame);
/// Fills those that are read before they are written.
void write_unset(Frame& frame);

inline bool enter_basic_block(Warp& warp, Fragment& fragment, std::uint32_t basic_block) {
  fragment.basic_block = basic_block;
  fragment.state = Fragment::State::ready;
  return fragment.join < 0 || enter_join(warp, fragment);
}

inline Fragment take_fragment(Warp& warp, std::size_t index) {
  Fragment taken = std::move(warp.fragments[index]);
  if (index + 1 < warp.fragments.size())
    warp.fragments.erase(warp.fragments.begin() + static_cast<std::ptrdiff_t>(index));
  else
    warp.fragments.pop_back();
  return taken;
}

}  // namespace fusebox::sim
