#include "grader/simulator/observe/modelled/atomics/shared_loops.h"

#include <algorithm>
#include <bit>

namespace fusebox::sim {
namespace {

// Of a round, for one warp alone, and what it takes longer then than among others; doubles take as much more.
constexpr double kRoundCycles = 86, kAlone = 19, kOfWide = 1.2;
// Of more warps than these two lanes leave in a round.
constexpr int kOneByOne = 8;

}  // namespace

SharedLoops::Cost SharedLoops::of(const WarpAccess& access, std::uint64_t lanes) {
  if (access.warp.block != block_) warps_.clear();
  block_ = access.warp.block;
  const int first = std::countr_zero(access.lanes);
  std::uint32_t& here = warps_[access.address[first]];
  const std::uint32_t mine = 1u << access.warp.warp % 32;
  // Warps are told of one after the other and come together: of the k-th that comes it is said what it and
  // those before it cost more than they did without it, which sums up to k for each of them.
  const bool comes_back = (here & mine) != 0;
  here |= mine;
  const int warps = std::popcount(here);
  const double together = (comes_back ? warps : 2 * warps - 1) * (warps > kOneByOne ? 0.5 : 1.0);
  const double wide = access.bytes == 8 ? kOfWide : 1, turns = static_cast<double>(lanes);
  return {static_cast<std::uint64_t>(turns * std::max(together / 2, 1.0)),
          static_cast<std::uint64_t>(turns * wide * (together * kRoundCycles + (warps == 1 ? kAlone : 0)))};
}

}  // namespace fusebox::sim
