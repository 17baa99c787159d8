#include "grader/simulator/exec/program/special_registers.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/cluster.h"

namespace fusebox::sim {
namespace {

using Of = const ThreadPlace&;
using Bits = std::uint64_t;

bool in_clusters(const Launch& launch) {
  return launch.info.cluster.count() > 1 || launch.info.function->cluster[0] != 0;
}

constexpr Special per_block(std::string_view name, Bits (*value)(Of)) { return {name, value, 4, true}; }

constexpr Special kSpecials[] = {
    {"%tid.x", [](Of o) -> Bits { return o.thread % o.threads.x; }},
    {"%tid.y", [](Of o) -> Bits { return o.thread / o.threads.x % o.threads.y; }},
    {"%tid.z", [](Of o) -> Bits { return o.thread / (o.threads.x * o.threads.y); }},
    {"%ntid.x", [](Of o) -> Bits { return o.threads.x; }},
    {"%ntid.y", [](Of o) -> Bits { return o.threads.y; }},
    {"%ntid.z", [](Of o) -> Bits { return o.threads.z; }},
    per_block("%ctaid.x", [](Of o) -> Bits { return o.block.position[0]; }),
    per_block("%ctaid.y", [](Of o) -> Bits { return o.block.position[1]; }),
    per_block("%ctaid.z", [](Of o) -> Bits { return o.block.position[2]; }),
    {"%nctaid.x", [](Of o) -> Bits { return o.blocks.x; }},
    {"%nctaid.y", [](Of o) -> Bits { return o.blocks.y; }},
    {"%nctaid.z", [](Of o) -> Bits { return o.blocks.z; }},
    {"%laneid", [](Of o) -> Bits { return o.thread % kWarpSize; }},
    {"%warpid", [](Of o) -> Bits { return o.thread / kWarpSize; }},
    {"%nwarpid", [](Of o) -> Bits { return o.block.warps.size(); }},
    per_block("%smid", [](Of o) -> Bits { return o.block.index % o.launch.sms; }),
    {"%nsmid", [](Of o) -> Bits { return o.launch.sms; }},
    {"%gridid", [](Of o) -> Bits { return o.launch.grid_id; }, 8},
    {"%lanemask_eq", [](Of o) -> Bits { return o.bit; }},
    {"%lanemask_lt", [](Of o) -> Bits { return o.bit - 1; }},
    {"%lanemask_le", [](Of o) -> Bits { return o.bit | (o.bit - 1); }},
    {"%lanemask_gt", [](Of o) -> Bits { return ~(o.bit | (o.bit - 1)); }},
    {"%lanemask_ge", [](Of o) -> Bits { return ~(o.bit - 1); }},
    {"%dynamic_smem_size", [](Of o) -> Bits { return o.launch.dynamic_shared_bytes; }},
    {"%total_smem_size", [](Of o) -> Bits { return o.launch.info.shared_bytes; }},
    // Where the CUDA headers look for the grid's workspace.
    {"%envreg1", [](Of o) -> Bits { return o.launch.grid_workspace >> 32; }},
    {"%envreg2", [](Of o) -> Bits { return o.launch.grid_workspace & 0xffffffffu; }},
    per_block("%cluster_ctaid.x", [](Of o) -> Bits { return o.block.position[0] % o.cluster.x; }),
    per_block("%cluster_ctaid.y", [](Of o) -> Bits { return o.block.position[1] % o.cluster.y; }),
    per_block("%cluster_ctaid.z", [](Of o) -> Bits { return o.block.position[2] % o.cluster.z; }),
    {"%cluster_nctaid.x", [](Of o) -> Bits { return o.cluster.x; }},
    {"%cluster_nctaid.y", [](Of o) -> Bits { return o.cluster.y; }},
    {"%cluster_nctaid.z", [](Of o) -> Bits { return o.cluster.z; }},
    per_block("%clusterid.x", [](Of o) -> Bits { return o.block.position[0] / o.cluster.x; }),
    per_block("%clusterid.y", [](Of o) -> Bits { return o.block.position[1] / o.cluster.y; }),
    per_block("%clusterid.z", [](Of o) -> Bits { return o.block.position[2] / o.cluster.z; }),
    {"%nclusterid.x", [](Of o) -> Bits { return o.blocks.x / o.cluster.x; }},
    {"%nclusterid.y", [](Of o) -> Bits { return o.blocks.y / o.cluster.y; }},
    {"%nclusterid.z", [](Of o) -> Bits { return o.blocks.z / o.cluster.z; }},
    per_block("%cluster_ctarank", [](Of o) -> Bits { return rank_in_cluster(o.block); }),
    {"%cluster_nctarank", [](Of o) -> Bits { return o.cluster.count(); }},
    // A predicate: one word for all lanes.
    {"%is_explicit_cluster", [](Of o) -> Bits { return in_clusters(o.launch) ? ~LaneMask{0} : 0; }},
    // Clocks stand still here: reading one is an instruction of its own.
    {"%clock", [](Of) -> Bits { return 0; }},
    {"%clock_hi", [](Of) -> Bits { return 0; }},
    {"%clock64", [](Of) -> Bits { return 0; }, 8},
    {"%globaltimer", [](Of) -> Bits { return 0; }, 8},
    {"%globaltimer_lo", [](Of) -> Bits { return 0; }},
    {"%globaltimer_hi", [](Of) -> Bits { return 0; }},
};

ThreadPlace place_of(const Block& block, std::uint32_t thread) {
  const Launch& launch = *block.launch;
  return {block,
          launch,
          launch.info.block,
          launch.info.grid,
          launch.info.cluster,
          thread,
          LaneMask{1} << thread % kWarpSize};
}

}  // namespace

const Special* find_special(std::string_view name) {
  const auto found = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                                  [&](const Special& special) { return special.name == name; });
  return found == std::end(kSpecials) ? nullptr : found;
}

void fill_register(Frame& frame, std::uint32_t offset, std::uint8_t width, std::uint64_t bits) {
  unsigned char* to = frame.registers + offset;
  const auto fill = [&]<class T>(T value) {
    for (int lane = 0; lane < kWarpSize; ++lane) std::memcpy(to + lane * sizeof value, &value, sizeof value);
  };
  switch (width) {
    case 1:
      return fill(static_cast<std::uint8_t>(bits));
    case 2:
      return fill(static_cast<std::uint16_t>(bits));
    case 4:
      return fill(static_cast<std::uint32_t>(bits));
    default:
      return fill(bits);
  }
}

void write_specials(Warp& warp, Frame& frame) {
  for (const auto& [offset, special] : frame.program->specials) {
    if (special->of_block) {
      fill_register(frame, offset, special->width, special->value(place_of(*warp.block, 0)));
      continue;
    }
    unsigned char* at = frame.registers + offset;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane, at += special->width) {
      const Bits bits = special->value(place_of(*warp.block, warp.id.warp * kWarpSize + lane));
      std::memcpy(at, &bits, special->width);
    }
  }
}

void write_block_specials(Block& block) {
  for (const auto& [offset, special] : block.launch->program->specials) {
    if (!special->of_block) continue;
    const Bits bits = special->value(place_of(block, 0));
    for (Warp& warp : block.warps) fill_register(*warp.entry_frame, offset, special->width, bits);
  }
}

}  // namespace fusebox::sim
