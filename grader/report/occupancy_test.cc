#include "grader/report/occupancy.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

GpuNumbers hopper() {
  GpuNumbers gpu;
  gpu.shared_bytes_per_sm = 233472;
  gpu.max_shared_bytes_per_block_optin = 232448;
  return gpu;
}

struct Row {
  BlockNeeds block;
  const char* by;  ///< what allows least
  std::uint64_t blocks;
};

TEST(Occupancy, WhatLimitsTheBlocksOfAnSm) {
  for (const Row& row : {Row{{32, 16, 0}, "blocks", 32},
                         {{33, 16, 0}, "blocks", 32},
                         {{1024, 32, 0}, "threads", 2},
                         {{128, 0, 0}, "threads", 16},
                         {{256, 64, 0}, "registers", 4},
                         {{256, 65, 0}, "registers", 3},
                         {{256, 255, 0}, "registers", 1},
                         {{257, 255, 0}, "registers", 0},
                         {{128, 16, 100000}, "shared memory", 2},
                         {{128, 16, 232448}, "shared memory", 1},
                         {{128, 16, 232449}, "shared memory", 0},
                         {{1025, 16, 0}, "threads", 0},
                         {{0, 16, 0}, "threads", 0}}) {
    const auto limits = block_limits(hopper(), row.block);
    EXPECT_EQ(tightest(limits).name, row.by) << row.block.threads << " threads, " << row.block.registers;
    EXPECT_EQ(tightest(limits).blocks, row.blocks)
        << row.block.threads << " threads, " << row.block.registers;
  }
}

TEST(Occupancy, WhatIsUnknownLimitsNothing) {
  GpuNumbers gpu = hopper();
  gpu.reserved_shared_bytes_per_block = 0;
  const auto limits = block_limits(gpu, {128, 0, 0});
  EXPECT_EQ(limits[2].name, "registers");
  EXPECT_FALSE(limits[2].known);
  EXPECT_EQ(limits[3].name, "shared memory");
  EXPECT_FALSE(limits[3].known);
}

}  // namespace
}  // namespace fusebox
