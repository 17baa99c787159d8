#include "grader/simulator/exec/state/cluster.h"

#include <memory>

namespace fusebox::sim {

Cluster& cluster_of(Block& block) {
  if (block.cluster != nullptr) return *block.cluster;
  if (block.alone == nullptr) {
    block.alone = std::make_shared<Cluster>();
    block.alone->blocks.assign(1, &block);
  }
  return *block.alone;
}

std::uint32_t rank_in_cluster(const Block& block) {
  const Dim3& c = block.launch->info.cluster;
  const auto& p = block.position;
  return p[0] % c.x + c.x * (p[1] % c.y + c.y * (p[2] % c.z));
}

Block* block_of_rank(Block& own, std::uint64_t& offset) {
  const std::uint64_t rank = offset >> kRankShift;
  offset &= kRankOffset;
  if (rank == 0) return &own;
  if (own.cluster == nullptr) return rank == 1 ? &own : nullptr;
  return rank <= own.cluster->blocks.size() ? own.cluster->blocks[rank - 1] : nullptr;
}

}  // namespace fusebox::sim
