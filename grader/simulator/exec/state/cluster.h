#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// Blocks that run at the same time, see each other's shared memory and have a barrier of their own. A block
/// outside any is a cluster by itself.
struct Cluster {
  std::vector<Block*> blocks;       ///< by rank
  std::uint32_t phase = 0;          ///< of its barrier: how often it has completed
  std::uint32_t arrived = 0;        ///< threads that arrived in the current phase
  std::vector<std::uint32_t> come;  ///< per thread, rank after rank: the phase it arrived in, plus one
};

/// The bits of a shared memory address from this one on are the rank of its block plus one; 0: the own block.
/// What mapa makes, and what instructions on .shared::cluster and generic addresses understand.
inline constexpr int kRankShift = 24;
inline constexpr std::uint64_t kRankOffset = (std::uint64_t{1} << kRankShift) - 1;
inline bool names_a_rank(std::uint64_t offset) { return offset >> kRankShift != 0 && offset < kWindowBytes; }
/// The cluster of a block; itself alone when the launch has none.
Cluster& cluster_of(Block& block);

/// The block whose shared memory that is, and `offset` into it; null when the cluster has no such block.
Block* block_of_rank(Block& own, std::uint64_t& offset);
inline Block* block_at(Block& own, std::uint64_t& offset) {
  return offset <= kRankOffset ? &own : block_of_rank(own, offset);
}

/// A block's rank in its cluster, from its position in the grid.
std::uint32_t rank_in_cluster(const Block& block);

}  // namespace fusebox::sim
