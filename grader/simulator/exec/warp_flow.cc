#include "grader/simulator/exec/warp_flow.h"

#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/cluster.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kDeepestStack = 512 << 10;  // bytes per lane, as on hardware
constexpr std::size_t kAlignment = 64;

void fill(Frame& frame, std::uint32_t offset, std::uint8_t width, std::uint64_t bits) {
  unsigned char* first = frame.registers + offset;
  const std::size_t all = std::size_t{kWarpSize} * width;
  std::memcpy(first, &bits, width);
  for (std::size_t done = width; done < all; done *= 2) std::memcpy(first + done, first, done);
}

std::uint64_t special_value(const std::string& name, const Warp& warp, std::uint32_t thread, int lane) {
  const Block& block = *warp.block;
  const LaunchInfo& info = block.launch->info;
  auto axis = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return name.back() == 'x' ? x : name.back() == 'y' ? y : z;
  };
  const Dim3 &size = info.block, &grid = info.grid;
  if (name.starts_with("%tid"))
    return axis(thread % size.x, thread / size.x % size.y, thread / (size.x * size.y));
  if (name.starts_with("%ntid")) return axis(size.x, size.y, size.z);
  if (name.starts_with("%ctaid")) return axis(block.position[0], block.position[1], block.position[2]);
  if (name.starts_with("%nctaid")) return axis(grid.x, grid.y, grid.z);
  if (name == "%laneid") return static_cast<std::uint64_t>(lane);
  if (name == "%warpid") return warp.id.warp;
  if (name == "%nwarpid") return (size.count() + kWarpSize - 1) / kWarpSize;
  if (name == "%smid") return block.index % block.launch->sms;
  if (name == "%nsmid") return block.launch->sms;
  if (name == "%gridid") return block.launch->grid_id;
  if (name == "%is_explicit_cluster")
    return info.cluster.count() > 1 || info.function->cluster[0] != 0 ? ~LaneMask{0} : 0;
  LaneMask bit = LaneMask{1} << lane;
  if (name == "%lanemask_eq") return bit;
  if (name == "%lanemask_lt") return bit - 1;
  if (name == "%lanemask_le") return bit | (bit - 1);
  if (name == "%lanemask_gt") return ~(bit | (bit - 1));
  if (name == "%lanemask_ge") return ~(bit - 1);
  if (name == "%dynamic_smem_size") return block.launch->dynamic_shared_bytes;
  if (name == "%total_smem_size") return info.shared_bytes;
  // Where the CUDA headers look for the grid's workspace.
  std::uint64_t value = 0;
  if (cluster_special(name, block, value)) return value;
  if (name == "%envreg1") return block.launch->grid_workspace >> 32;
  if (name == "%envreg2") return block.launch->grid_workspace & 0xffffffffu;
  return 0;
}

}  // namespace

bool enter_join(Warp& warp, Fragment& fragment) {
  while (fragment.join >= 0) {
    Join& join = warp.joins[static_cast<std::size_t>(fragment.join)];
    if (join.frame != fragment.frame || join.block != fragment.block) break;
    join.arrived |= fragment.lanes;
    if (join.arrived != join.expected) return false;
    fragment.lanes = join.expected;
    fragment.join = join.parent;
    join = Join{};
  }
  return true;
}

int join_at(Warp& warp, const Fragment& fragment, std::uint32_t block, LaneMask lanes) {
  if (fragment.join >= 0) {
    const Join& current = warp.joins[static_cast<std::size_t>(fragment.join)];
    // Lanes that leave a loop one by one all meet at its exit: one join serves them all.
    if (current.frame == fragment.frame && current.block == block) return fragment.join;
  }
  Join join;
  join.frame = fragment.frame;
  join.block = block;
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
  if (enter_block(warp, others, next)) warp.fragments.push_back(std::move(others));
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
      std::uint32_t block = at.block;
      at = Join{};
      may_complete = false;
      if (enter_block(warp, waiting, block)) warp.fragments.push_back(std::move(waiting));
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
    if (enter_block(warp, early, join.block)) warp.fragments.push_back(std::move(early));
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
  if (top > kDeepestStack) return nullptr;
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
  write_specials(warp, *frame);
  return frame;
}

void write_constants(Frame& frame) {
  for (const Constant& constant : frame.program->constants)
    fill(frame, constant.offset, constant.width, constant.bits + (constant.in_frame ? frame.local_base : 0));
}

void write_specials(Warp& warp, Frame& frame) {
  for (const SpecialRegister& special : frame.program->specials) {
    if (special.of_block) {
      fill(frame, special.offset, special.width, special_value(special.name, warp, 0, 0));
      continue;
    }
    unsigned char* lane = frame.registers + special.offset;
    for (int l = 0; l < kWarpSize; ++l, lane += special.width) {
      std::uint64_t bits =
          special_value(special.name, warp, warp.id.warp * kWarpSize + static_cast<std::uint32_t>(l), l);
      std::memcpy(lane, &bits, special.width);
    }
  }
}

void write_block_specials(Block& block) {
  for (const SpecialRegister& special : block.launch->program->specials) {
    if (!special.of_block) continue;
    const std::uint64_t bits = special_value(special.name, block.warps.front(), 0, 0);
    for (Warp& warp : block.warps) fill(*warp.entry_frame, special.offset, special.width, bits);
  }
}

}  // namespace fusebox::sim
