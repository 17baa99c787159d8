#include "grader/device/launch_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

GpuProfile hopper() {
  GpuProfile gpu;
  gpu.sms = 132;
  gpu.shared_bytes_per_sm = 233472;
  gpu.max_shared_bytes_per_block_optin = 232448;
  return gpu;
}

KernelParameters kernel_with(int registers, int shared = 0, int max_threads = 0) {
  KernelParameters kernel;
  kernel.registers = registers;
  kernel.static_shared_bytes = shared;
  kernel.max_threads = max_threads;
  return kernel;
}

struct Occupancy {
  int registers, static_shared;
  std::uint64_t threads, dynamic_shared;
  int blocks;
};

TEST(LaunchLimits, ResidentBlocksAsTheOccupancyTablesHaveThem) {
  // What limits each row: threads, blocks, registers (three ways of rounding), shared memory, nothing fits.
  for (const Occupancy& row : {Occupancy{32, 0, 1024, 0, 2},
                               {16, 0, 256, 0, 8},
                               {16, 0, 32, 0, 32},
                               {16, 0, 33, 0, 32},
                               {64, 0, 256, 0, 4},
                               {65, 0, 256, 0, 3},
                               {255, 0, 256, 0, 1},
                               {128, 0, 512, 0, 1},
                               {0, 0, 128, 0, 16},
                               {16, 0, 128, 100000, 2},
                               {16, 49152, 128, 0, 4},
                               {16, 0, 128, 232448, 1},
                               {16, 0, 128, 232449, 0},
                               {16, 0, 1025, 0, 0},
                               {16, 0, 0, 0, 0},
                               {128, 0, 1024, 0, 0}}) {
    EXPECT_EQ(resident_blocks_per_sm(hopper(), kernel_with(row.registers, row.static_shared), row.threads,
                                     row.dynamic_shared),
              row.blocks)
        << row.registers << " registers, " << row.threads << " threads, " << row.dynamic_shared << " bytes";
  }
}

TEST(LaunchLimits, ThreadsPerBlockFollowRegistersAndLaunchBounds) {
  EXPECT_EQ(max_threads_per_block(hopper(), kernel_with(0)), 1024);
  EXPECT_EQ(max_threads_per_block(hopper(), kernel_with(64)), 1024);
  EXPECT_EQ(max_threads_per_block(hopper(), kernel_with(128)), 512);
  EXPECT_EQ(max_threads_per_block(hopper(), kernel_with(255)), 256);
  EXPECT_EQ(max_threads_per_block(hopper(), kernel_with(32, 0, 96)), 96);
}

struct Launch {
  LaunchShape shape;
  KernelParameters kernel;
  int error;
  const char* reason;
};

TEST(LaunchLimits, RefusalsNameTheLimit) {
  const Launch rows[] = {
      {{{0, 1, 1}, {1, 1, 1}}, kernel_with(16), 9, "grid's x is 0"},
      {{{1, 65536, 1}, {1, 1, 1}}, kernel_with(16), 9, "grid's y is 65536, but the limit is 65535"},
      {{{2147483648u, 1, 1}, {1, 1, 1}}, kernel_with(16), 9, "the limit is 2147483647"},
      {{{6, 1, 1}, {1, 1, 1}, 0, 0, false, {4, 1, 1}},
       kernel_with(16),
       912,
       "no multiple of its clusters of 4 x 1 x 1"},
      {{{9, 1, 1}, {1, 1, 1}, 0, 0, false, {9, 1, 1}}, kernel_with(16), 912, "the limit is 8"},
      {{{2, 1, 1}, {1, 1, 1}, 0, 0, false, {0, 1, 1}}, kernel_with(16), 912, "the limit is 8"},
      {{{1, 1, 1}, {1, 1, 0}}, kernel_with(16), 9, "block's z is 0"},
      {{{1, 1, 1}, {1, 1, 65}}, kernel_with(16), 9, "the limit is 64"},
      {{{1, 1, 1}, {32, 33, 1}}, kernel_with(16), 9, "1056 threads, but the limit is 1024"},
      {{{1, 1, 1}, {32, 1, 1}, 49153}, kernel_with(16), 1, "cudaFuncSetAttribute"},
      {{{1, 1, 1}, {32, 1, 1}, 1}, kernel_with(16, 49152), 1, "49153 bytes"},
      {{{1, 1, 1}, {32, 1, 1}, 300000},
       kernel_with(16),
       1,
       "300000 bytes of shared memory, but the limit is 49152"},
      {{{1, 1, 1}, {32, 1, 1}, 300000, 232448},
       kernel_with(16),
       1,
       "300000 bytes of shared memory, but the limit is 232448"},
      {{{1, 1, 1}, {32, 1, 1}, 70000, 60000},
       kernel_with(16),
       1,
       "70000 bytes of shared memory, but the limit is 49152 without cudaFuncSetAttribute"},
      {{{1, 1, 1}, {512, 1, 1}}, kernel_with(255), 701, "its registers suffice for 256"},
      {{{1, 1, 1}, {128, 1, 1}}, kernel_with(32, 0, 64), 701, "__launch_bounds__ allow 64"},
      {{{265, 1, 1}, {1024, 1, 1}, 0, 0, true}, kernel_with(32), 720, "only 264"},
  };
  for (const Launch& row : rows) {
    const auto refusal = check_launch(hopper(), row.kernel, row.shape);
    ASSERT_TRUE(refusal) << row.reason;
    EXPECT_EQ(refusal->error, row.error) << row.reason;
    EXPECT_THAT(refusal->reason, testing::HasSubstr(row.reason));
  }
}

TEST(LaunchLimits, WhatHardwareTakesIsTaken) {
  EXPECT_FALSE(check_launch(hopper(), kernel_with(16), {{2147483647, 65535, 65535}, {1024, 1, 1}}));
  EXPECT_FALSE(check_launch(hopper(), kernel_with(16), {{1, 1, 1}, {4, 4, 64}, 49152}));
  EXPECT_FALSE(check_launch(hopper(), kernel_with(16, 1000), {{1, 1, 1}, {32, 1, 1}, 231448, 231448}));
  EXPECT_FALSE(check_launch(hopper(), kernel_with(32), {{264, 1, 1}, {1024, 1, 1}, 0, 0, true}));
}

}  // namespace
}  // namespace fusebox
