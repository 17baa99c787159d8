#include "grader/simulator/observe/races/unfenced_writes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/simulator/observe/races/shadow_memory.h"
#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {

void UnfencedWrites::launch_begin(const LaunchInfo&) {
  while (!blocks_.empty()) {  // a launch before this one was stopped
    idle_.push_back(std::move(blocks_.back()));
    blocks_.pop_back();
  }
}

void UnfencedWrites::block_begin(std::uint64_t block) {
  if (idle_.empty()) idle_.emplace_back();
  blocks_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  blocks_.back().block = block;
  ++blocks_.back().stretch;  // what a block before it wrote does not count
}

void UnfencedWrites::block_end(std::uint64_t block) {
  BlockState& state = state_of(block);
  idle_.push_back(std::move(state));
  std::swap(state, blocks_.back());
  blocks_.pop_back();
}

UnfencedWrites::BlockState& UnfencedWrites::state_of(std::uint64_t block) {
  // Nearly always one, or those of a cluster.
  return *std::find_if(blocks_.begin(), blocks_.end(), [&](const BlockState& s) { return s.block == block; });
}

void UnfencedWrites::access(const WarpAccess& access) {
  if (access.space != Space::shared) return;
  if (is_tensor(access.path)) return read_by_engine(access);
  if (access.kind == AccessKind::load) return;
  BlockState& state = state_of(access.warp.block);
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t first = access.address[lane] / 4,
                        behind = (access.address[lane] + access.bytes + 3) / 4;
    if (state.words.size() < behind) state.words.resize(behind);
    for (std::uint64_t word = first; word < behind; ++word)
      state.words[word] = {state.stretch, access.warp.function, access.instruction,
                           access.warp.warp * kWarpSize + static_cast<std::uint32_t>(lane), access.kind};
  });
}

void UnfencedWrites::proxy_fence(const WarpId& id, LaneMask) { ++state_of(id.block).stretch; }

/// A wgmma reads as the copy engine does, in pieces that are each a lane's.
void UnfencedWrites::read_by_engine(const WarpAccess& pieces) {
  for_each_lane(pieces.lanes, [&](int lane) {
    WarpAccess piece = pieces;
    std::uint64_t address[kWarpSize];
    std::fill(std::begin(address), std::end(address), pieces.address[lane]);
    piece.address = address;
    piece.lanes = 1;
    bulk_access(piece, lane);
  });
}

void UnfencedWrites::bulk_access(const WarpAccess& part, int lane) {
  if (part.space != Space::shared || part.owner >= 0) return;
  BlockState& state = state_of(part.warp.block);
  bool told = false;
  for_each_lane(part.lanes, [&](int grain) {
    const std::uint64_t address = part.address[grain];
    const std::uint64_t behind = std::min<std::uint64_t>((address + part.bytes + 3) / 4, state.words.size());
    for (std::uint64_t word = address / 4; word < behind; ++word) {
      Write& write = state.words[word];
      if (part.kind != AccessKind::load) {
        write.stretch = 0;  // the engine's own
      } else if (write.stretch == state.stretch && !told) {
        told = true;
        RawFault fault = race_of(part, lane, address);
        fault.other = {write.kind, write.instruction, write.function, part.warp.block, write.thread, false};
        fault.other.other_proxy = true;
        if (log_ != nullptr) log_->add(fault);
      }
    }
  });
}

}  // namespace fusebox::sim
