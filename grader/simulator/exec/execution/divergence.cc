#include "grader/simulator/exec/execution/divergence.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/special_registers.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kDeepestStack = 512 << 10;  // bytes per lane, as on hardware
// Calls in each other. Hardware's stack has 1 KiB per thread unless a program asks for more.
constexpr std::uint32_t kDeepestCalls = 1024;
constexpr std::size_t kAlignment = 64;

}  // namespace

bool enter_join(Warp& warp, Fragment& fragment) {
  while (fragment.join >= 0) {
    Join& join = warp.joins[static_cast<std::size_t>(fragment.join)];
    if (join.frame != fragment.frame || join.basic_block != fragment.basic_block) break;
    join.arrived |= fragment.lanes;
    if (join.arrived != join.expected) return false;
    fragment.lanes = join.expected;
    fragment.join = join.parent;
    join = Join{};
  }
  return true;
}

int join_at(Warp& warp, const Fragment& fragment, std::uint32_t basic_block, LaneMask lanes) {
  if (fragment.join >= 0) {
    const Join& current = warp.joins[static_cast<std::size_t>(fragment.join)];
    // Lanes that leave a loop one by one all meet at its exit: one join serves them all.
    if (current.frame == fragment.frame && current.basic_block == basic_block) return fragment.join;
  }
  Join join;
  join.frame = fragment.frame;
  join.basic_block = basic_block;
  join.expected = lanes;
  join.parent = fragment.join;
  auto free =
      std::find_if(warp.joins.begin(), warp.joins.end(), [](const Join& j) { return j.frame == nullptr; });
  if (free == warp.joins.end())
    free = warp.joins.insert(free, join);
  else
    *free = join;
  return static_cast<int>(free - warp.joins.begin());
}

void part_until(Warp& warp, Fragment& fragment, LaneMask lanes, std::uint32_t next) {
  const LaneMask past = fragment.lanes & ~lanes;
  fragment.join = join_at(warp, fragment, next, fragment.lanes);
  fragment.lanes = lanes;
  if (past == 0) return;
  Fragment others = fragment;
  others.lanes = past;
  if (enter_basic_block(warp, others, next)) warp.fragments.push_back(std::move(others));
}

void remove_lanes(Warp& warp, int join, LaneMask lanes, bool fragment_ended) {
  bool may_complete = fragment_ended;
  while (join >= 0) {
    Join& at = warp.joins[static_cast<std::size_t>(join)];
    int parent = at.parent;
    at.expected &= ~lanes;
    if (may_complete && at.expected == 0) {
      at = Join{};
    } else if (may_complete && at.arrived == at.expected) {
      Fragment waiting;
      waiting.frame = at.frame;
      waiting.lanes = at.expected;
      waiting.join = parent;
      std::uint32_t basic_block = at.basic_block;
      at = Join{};
      may_complete = false;
      if (enter_basic_block(warp, waiting, basic_block)) warp.fragments.push_back(std::move(waiting));
    } else {
      may_complete = false;
    }
    join = parent;
  }
}

bool release_joins(Warp& warp) {
  bool released = false;
  for (Join& join : warp.joins) {
    if (join.frame == nullptr || join.arrived == 0) continue;
    Fragment early;
    early.frame = join.frame;
    early.lanes = join.arrived;
    early.join = join.parent;
    join.expected &= ~join.arrived;
    join.arrived = 0;
    released = true;
    if (enter_basic_block(warp, early, join.basic_block)) warp.fragments.push_back(std::move(early));
  }
  return released;
}

FrameRef make_frame(Warp& warp, const Program& program, FrameRef caller) {
  FrameRef frame(new Frame);
  frame->program = &program;
  frame->storage.resize(program.register_bytes + kAlignment);
  std::size_t misaligned = reinterpret_cast<std::uintptr_t>(frame->storage.data()) % kAlignment;
  frame->registers = frame->storage.data() + (kAlignment - misaligned) % kAlignment;
  frame->local_base = caller ? caller->local_base + caller->program->local_bytes : 0;
  std::uint64_t top = std::uint64_t{frame->local_base} + program.local_bytes;
  frame->depth = caller ? caller->depth + 1 : 0;
  if (top > kDeepestStack || frame->depth > kDeepestCalls) return nullptr;
  if (top > warp.local_bytes) {
    std::uint32_t bytes = static_cast<std::uint32_t>(std::max<std::uint64_t>(top, 2ull * warp.local_bytes));
    std::vector<unsigned char> wider(std::size_t{bytes} * kWarpSize);
    for (std::size_t l = 0; l < kWarpSize && warp.local_bytes > 0; ++l)
      std::memcpy(wider.data() + l * bytes, warp.local.data() + l * warp.local_bytes, warp.local_bytes);
    warp.local.swap(wider);
    warp.local_bytes = bytes;
  }
  frame->caller = std::move(caller);
  write_constants(*frame);
  write_unset(*frame);
  write_specials(warp, *frame);
  return frame;
}

void write_unset(Frame& frame) {
  for (const UnsetRegister& unset : frame.program->unset)
    if (unset.width == 0)
      std::memset(frame.registers + unset.offset, 0, sizeof(LaneMask));
    else
      fill_register(frame, unset.offset, unset.width, kUnsetBits);
}

void write_constants(Frame& frame) {
  for (const Constant& constant : frame.program->constants)
    fill_register(frame, constant.offset, constant.width,
                  constant.bits + (constant.in_frame ? frame.local_base : 0));
}

}  // namespace fusebox::sim
