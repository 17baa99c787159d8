#include "grader/simulator/observe/modelled/atomics/shared_loops.h"

#include <gtest/gtest.h>

#include <array>

namespace fusebox::sim {
namespace {

/// Cycles of an SM's block whose warps all add a float to one of `places` words each, as the model has them.
double cycles_of_block(std::uint32_t warps, std::uint64_t lanes, bool together) {
  SharedLoops loops;
  std::uint64_t waited = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    std::array<std::uint64_t, 32> address{};
    address.fill(together ? 64 : 64 + 128 * warp);
    WarpAccess access;
    access.space = Space::shared;
    access.kind = AccessKind::atomic;
    access.lanes = ~LaneMask{0};
    access.warp.warp = warp;
    access.address = address.data();
    waited += loops.of(access, lanes).cycles;
  }
  return static_cast<double>(waited) / warps;  // all of them at the same time
}

// What an H200 took for one addition of each warp, in cycles.
TEST(SharedLoops, LanesAndWarpsOfOneAddressGoOneAfterTheOther) {
  const struct {
    double measured;
    std::uint64_t lanes;
    std::uint32_t warps;
    bool together;
  } rows[] = {{105, 1, 1, true}, {3366, 32, 1, true},     {421, 4, 8, false},      {350, 1, 4, true},
              {678, 1, 8, true}, {8 * 2717, 32, 8, true}, {16 * 167, 4, 16, true}, {32 * 340, 8, 32, true}};
  for (const auto& row : rows)
    EXPECT_NEAR(cycles_of_block(row.warps, row.lanes, row.together), row.measured, 0.3 * row.measured)
        << row.warps << " warps, " << row.lanes << " lanes";
}

TEST(SharedLoops, BehindABarrierNobodyIsLeft) {
  SharedLoops loops;
  const std::uint64_t address[32] = {64};
  WarpAccess access;
  access.lanes = 1;
  access.address = address;
  const std::uint64_t alone = loops.of(access, 1).cycles;
  access.warp.warp = 1;
  EXPECT_GT(loops.of(access, 1).cycles, 2 * alone);
  loops.barrier();
  EXPECT_EQ(loops.of(access, 1).cycles, alone);
  access.warp = {.block = 1, .warp = 3};
  EXPECT_EQ(loops.of(access, 1).cycles, alone) << "another block's";
}

}  // namespace
}  // namespace fusebox::sim
