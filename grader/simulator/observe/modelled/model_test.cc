#include "grader/simulator/observe/modelled/model.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

GpuProfile round_gpu() {
  GpuProfile gpu;
  gpu.name = "round";
  gpu.sms = 100;
  gpu.clock_hz = 1e9;
  gpu.dram_copy_bytes_per_second = 1e12;
  gpu.l2_bytes_per_second = 2e12;
  gpu.shared_latency_cycles = 30, gpu.l1_latency_cycles = 40, gpu.l2_latency_cycles = 200,
  gpu.dram_latency_cycles = 600;
  gpu.launch_overhead_s = 2e-6;
  gpu.registers_per_sm = 65536;
  gpu.shared_bytes_per_sm = 100 << 10;
  gpu.max_shared_bytes_per_block_optin = 99 << 10;
  return gpu;
}

LaunchRecord launch_of(std::uint32_t blocks, std::uint32_t threads) {
  LaunchRecord launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.registers = 32;
  return launch;
}

TEST(Model, ManyBytesAreBoundByDram) {
  CacheTraffic traffic;
  traffic.dram_read_bytes = 600'000'000, traffic.dram_write_bytes = 400'000'000;
  traffic.l2_read_bytes = 600'000'000, traffic.l2_write_bytes = 400'000'000;
  traffic.warps = 80'000;
  LaunchModel model = model_launch(round_gpu(), launch_of(10'000, 256), traffic);
  EXPECT_EQ(model.bound_by, "DRAM");
  EXPECT_DOUBLE_EQ(model.terms.at(0).seconds, 1e-3);
  EXPECT_DOUBLE_EQ(model.seconds, 2e-6 + overlapped(model.terms));
  EXPECT_EQ(model.gpu, "round");
}

TEST(Model, PartsOfSectorsAreMergedWhileBytesMove) {
  GpuProfile gpu = round_gpu();
  gpu.l2_partial_sectors_per_second = 1e11;
  CacheTraffic traffic;
  traffic.l2_write_bytes = 1'000'000'000;  // 500 us
  traffic.l2_partial_sectors = 80'000'000, traffic.l2_partial_lines = 20'000'000;
  const LaunchRecord launch = launch_of(10'000, 256);
  const auto l2_seconds = [&] { return model_launch(gpu, launch, traffic).terms.at(1).seconds; };
  EXPECT_DOUBLE_EQ(l2_seconds(), 800e-6);
  traffic.l2_partial_lines = 80'000'000;  // one sector of each: a line takes its time
  EXPECT_DOUBLE_EQ(l2_seconds(), 1400e-6);
  traffic.l2_partial_sectors = traffic.l2_partial_lines = 1'000'000;
  EXPECT_DOUBLE_EQ(l2_seconds(), 500e-6);
}

TEST(Model, L2MovesWhatGoesToDramTooAndTakesRequests) {
  GpuProfile gpu = round_gpu();
  gpu.l2_slices = 100, gpu.atomic_turns_per_second = 1e9;
  CacheTraffic traffic;
  traffic.l2_read_bytes = 400'000'000, traffic.l2_write_bytes = 200'000'000;
  const auto l2_seconds = [&] {
    return model_launch(gpu, launch_of(10'000, 256), traffic).terms.at(1).seconds;
  };
  EXPECT_DOUBLE_EQ(l2_seconds(), 300e-6);
  traffic.dram_read_bytes = 400'000'000;
  EXPECT_DOUBLE_EQ(l2_seconds(), (300 + 0.9 * 200) * 1e-6);
  traffic.l2_requests = 87'000'000;  // of one sector: each slice takes 0.87 a nanosecond
  EXPECT_DOUBLE_EQ(l2_seconds(), 1000e-6);
}

TEST(Model, DramIsBusyWithMoreThanItsBytes) {
  CacheTraffic traffic;
  traffic.dram_read_bytes = 100'000'000;
  const auto dram_seconds = [&] {
    return model_launch(round_gpu(), launch_of(10'000, 256), traffic).terms.at(0).seconds;
  };
  const double in_order = dram_seconds();
  traffic.dram_extra_bytes = 50'000'000;
  EXPECT_DOUBLE_EQ(dram_seconds(), 1.5 * in_order);
}

TEST(Model, AtomicsTakeWhatTheBusiestSliceOrAllTogetherTake) {
  GpuProfile gpu = round_gpu();
  gpu.l2_slices = 100, gpu.atomic_turns_per_second = 1e9;
  CacheTraffic traffic;
  traffic.l2_read_bytes = traffic.l2_write_bytes = traffic.l2_atomic_bytes = 32'000'000;
  LaunchRecord launch = launch_of(10'000, 256);
  const std::size_t others = model_launch(gpu, launch, traffic).terms.size();
  traffic.atomic_turns = 1e6, traffic.busiest_atomic_turns = 10'000;
  launch.counters.global_red.sectors = 1'000'000;
  LaunchModel model = model_launch(gpu, launch, traffic);
  ASSERT_EQ(model.terms.size(), others + 1);
  EXPECT_EQ(model.terms.back().name, "atomics");
  EXPECT_NEAR(model.terms.back().seconds, 1e6 / 67e9, 1e-12);
  EXPECT_DOUBLE_EQ(model.terms.at(1).seconds, 16e-6) << "what is changed in L2 goes there once";
  launch.counters.global_red.sectors = 0, launch.counters.global_atom.sectors = 1'000'000;
  EXPECT_NEAR(model_launch(gpu, launch, traffic).terms.back().seconds, 1.62e6 / 67e9, 1e-12);
  traffic.busiest_atomic_turns = 500'000;
  model = model_launch(gpu, launch, traffic);
  EXPECT_DOUBLE_EQ(model.terms.back().seconds, 500e-6);
  EXPECT_EQ(model.bound_by, "atomics");
}

TEST(Model, OneWarpThatWaitsAgainAndAgainIsBoundByLatency) {
  CacheTraffic traffic;
  traffic.dram_waits = 1000;
  traffic.dram_read_bytes = traffic.l2_read_bytes = 128'000;
  traffic.warps = 1;
  LaunchModel model = model_launch(round_gpu(), launch_of(1, 32), traffic);
  EXPECT_EQ(model.bound_by, "latency");
  EXPECT_NEAR(model.seconds, 2e-6 + 1000 * 600 / 1e9, 1e-7);
}

TEST(Model, LoadsWaitLongerForDramThatIsBusy) {
  CacheTraffic traffic;
  traffic.dram_waits = 1000;
  traffic.warps = 1;
  const auto latency = [&](std::uint64_t bytes) {
    traffic.dram_read_bytes = bytes;
    return model_launch(round_gpu(), launch_of(1, 32), traffic).terms.at(6).seconds;
  };
  EXPECT_DOUBLE_EQ(latency(0), 600e-6);
  EXPECT_DOUBLE_EQ(latency(300'000'000), 600e-6 * (1 + 0.36 / 2)) << "half of the time";
  EXPECT_DOUBLE_EQ(latency(2'000'000'000), 600e-6 * 1.36) << "always";
}

TEST(Model, AWarpWaitsForUnitsThatAreLate) {
  CacheTraffic traffic;
  traffic.warps = 1;
  LaunchRecord launch = launch_of(1, 32);
  launch.unit_cycles.waits = 5000;
  const LaunchModel model = model_launch(round_gpu(), launch, traffic);
  EXPECT_EQ(model.bound_by, "latency");
  EXPECT_NEAR(model.seconds, 2e-6 + 5000 / 1e9, 1e-12);
}

TEST(Model, TheBusiestSmDecides) {
  LaunchRecord launch = launch_of(100, 1024);
  launch.issue_slots = 400e6;  // 1 ms on 100 SMs
  CacheTraffic traffic;
  traffic.warps = 3200;
  EXPECT_DOUBLE_EQ(model_launch(round_gpu(), launch, traffic).terms.at(3).seconds, 1e-3);
  // The first ones have three times as much, one for each SM: each kind of work has its own.
  traffic.of_blocks.assign(100, {.lines = 1, .warps = {.instructions = 1}, .slowest = {.instructions = 1}});
  for (std::size_t block = 0; block < 50; ++block) traffic.of_blocks[block].lines = 3;
  EXPECT_DOUBLE_EQ(model_launch(round_gpu(), launch, traffic).terms.at(3).seconds, 1e-3);
  for (std::size_t block = 0; block < 50; ++block) traffic.of_blocks[block].warps.instructions = 3;
  const auto issue = [&] { return model_launch(round_gpu(), launch, traffic).terms.at(3).seconds; };
  EXPECT_DOUBLE_EQ(issue(), 1.5e-3);
  // One lane of each block comes back for more: here the first ones are handed most of it.
  AtomicTraffic& atomics = launch.counters.global_atomic;
  atomics.requests = atomics.lanes = launch.counters.global_atom.requests = 300;
  EXPECT_DOUBLE_EQ(issue(), 1e-3);
  atomics.lanes = 9600;
  EXPECT_DOUBLE_EQ(issue(), 1.5e-3) << "of all lanes";
  atomics.requests = atomics.lanes = launch.counters.global_atom.requests = 100;
  EXPECT_DOUBLE_EQ(issue(), 1.5e-3) << "once";
}

TEST(Model, ABlockIsAsSlowAsTheSlowestOfItsWarps) {
  LaunchRecord launch = launch_of(1, 128);
  launch.issue_slots = 4000;
  CacheTraffic traffic;
  traffic.warps = 4;
  const auto latency = [&] { return model_launch(round_gpu(), launch, traffic).terms.at(6).seconds; };
  const double even = latency();
  traffic.of_blocks = {{.warps = {.instructions = 4000}, .slowest = {.instructions = 1000}}};
  EXPECT_DOUBLE_EQ(latency(), even);
  traffic.of_blocks = {{.warps = {.instructions = 4000}, .slowest = {.instructions = 3000}}};
  const double once = 4000 * round_gpu().instruction_cycles / 4 / round_gpu().clock_hz;
  EXPECT_NEAR(latency() - even, 2 * once, 1e-12);
}

TEST(Model, WarpsThatLeaveMakeRoomForOtherBlocks) {
  GpuProfile gpu = round_gpu();
  gpu.max_blocks_per_sm = 32;
  LaunchRecord launch = launch_of(100, 512);  // four blocks an SM
  const auto latency = [&](std::uint32_t blocks, std::uint64_t slowest) {
    launch.grid[0] = blocks;
    launch.issue_slots = 16'000.0 * blocks;
    CacheTraffic traffic;
    traffic.warps = std::uint64_t{16} * blocks;
    traffic.of_blocks.assign(
        blocks,
        {.warps = {.instructions = 16'000}, .last = {.instructions = 16'000}, .last_slowest = {slowest}});
    return model_launch(gpu, launch, traffic).terms.at(6).seconds;
  };
  const double once = 1000 * gpu.instruction_cycles / gpu.clock_hz;
  EXPECT_NEAR(latency(400, 16'000) - latency(400, 1000), 15 * once, 1e-12) << "none comes after them";
  EXPECT_NEAR(latency(40'000, 1000), 100 * latency(400, 1000), 1e-12);
  EXPECT_NEAR(latency(40'000, 8000), latency(40'000, 1000), 1e-12) << "they take turns of one warp of eight";
  EXPECT_NEAR(latency(40'000, 16'000) - latency(40'000, 8000), 100 * once, 1e-9)
      << "32 blocks an SM, no more";
}

TEST(Model, UnitsThatAreSlowerThanASchedulerDecide) {
  LaunchRecord launch = launch_of(100, 1024);
  launch.issue_slots = 400e6;  // 1 ms on 100 SMs
  CacheTraffic traffic;
  traffic.warps = 3200;
  launch.unit_cycles.products = 50e6;
  EXPECT_DOUBLE_EQ(model_launch(round_gpu(), launch, traffic).terms.at(3).seconds, 1e-3);
  launch.unit_cycles.products = 200e6;
  EXPECT_DOUBLE_EQ(model_launch(round_gpu(), launch, traffic).terms.at(3).seconds, 2e-3);
  launch.unit_cycles = {.fp64 = 200e6, .special = 100e6};
  GpuProfile gpu = round_gpu();
  gpu.fp64_lanes_per_sm = 64;
  const LaunchModel model = model_launch(gpu, launch, traffic);
  EXPECT_DOUBLE_EQ(model.terms.at(4).seconds, 1e-3);
  EXPECT_EQ(model.bound_by, "fp64");
  EXPECT_DOUBLE_EQ(model.terms.back().seconds, 2e-3);
  gpu.fp64_lanes_per_sm = 2;
  EXPECT_DOUBLE_EQ(model_launch(gpu, launch, traffic).terms.back().seconds, 64e-3);
}

TEST(Model, PartsOverlapButNotPerfectly) {
  EXPECT_DOUBLE_EQ(overlapped({{"DRAM", 1.0}}), 1);
  EXPECT_DOUBLE_EQ(overlapped({{"DRAM", 1.0}, {"L2", 0}}), 1);
  const double equal = overlapped({{"DRAM", 1.0}, {"issue", 1.0}}),
               unlike = overlapped({{"DRAM", 1.0}, {"issue", 0.3}});
  EXPECT_GT(equal, 1.2);
  EXPECT_LT(equal, 1.3);
  EXPECT_GT(unlike, 1);
  EXPECT_LT(unlike, 1.01);
  EXPECT_DOUBLE_EQ(overlapped({{"DRAM", 1.0}, {"L2", 0.9}}), 1) << "the same bytes pass both";
  EXPECT_DOUBLE_EQ(overlapped({{"DRAM", 1.0}, {std::string(kFillAndDrain), 0.5}}), 1.5);
  EXPECT_EQ(overlapped({}), 0);
}

TEST(Model, WhatFirstAndLastBlocksDoGoesOnBesideNothing) {
  CacheTraffic traffic;
  traffic.dram_read_bytes = traffic.l2_read_bytes = 1'000'000'000;  // 1 ms
  traffic.dram_waits = 100, traffic.l1_waits = 200, traffic.shared_waits = 100;
  traffic.warps = 6400;
  LaunchRecord launch = launch_of(800, 256);  // all at once
  launch.issue_slots = 200e6;                 // 0.5 ms on 100 SMs
  const auto seconds = [&] { return model_launch(round_gpu(), launch, traffic).seconds; };
  const double beside = seconds();
  EXPECT_NEAR(beside, 1e-3, 0.1e-3);
  traffic.waits_within = 200;  // half of what the SMs do is behind the last byte
  EXPECT_NEAR(seconds(), 2e-6 + 1e-3 + 0.25e-3, 1e-9);
  EXPECT_EQ(model_launch(round_gpu(), launch, traffic).terms.back().name, kFillAndDrain);
  EXPECT_EQ(model_launch(round_gpu(), launch, traffic).bound_by, "DRAM");
  const double alone = seconds() - beside;
  launch.grid[0] = 8000, traffic.warps *= 10;  // ten rounds: one of them
  EXPECT_NEAR(seconds() - beside, alone / 10, alone / 10);
}

TEST(Model, WaitsForGlobalMemoryAreAddedUp) {
  CacheTraffic traffic;
  traffic.dram_waits = 1000, traffic.l1_waits = 30, traffic.l2_waits = 20, traffic.shared_waits = 7;
  EXPECT_EQ(model_launch(round_gpu(), launch_of(1, 32), traffic).waits, 1050u);
}

TEST(Model, BankConflictsShowAsLoadStoreTime) {
  LaunchRecord launch = launch_of(100, 1024);
  launch.data_stage_cycles = 100'000'000;
  CacheTraffic traffic;
  traffic.warps = 3200;
  LaunchModel model = model_launch(round_gpu(), launch, traffic);
  EXPECT_EQ(model.bound_by, "load-store");
  EXPECT_DOUBLE_EQ(model.seconds, 2e-6 + 1e-3);  // a wavefront a cycle on each of 100 SMs
}

TEST(Model, TensorCoresAreATermOfTheirOwnWhereTheyAreUsed) {
  LaunchRecord launch = launch_of(100, 128);
  CacheTraffic traffic;
  traffic.warps = 400;
  const std::size_t others = model_launch(round_gpu(), launch, traffic).terms.size();
  launch.tensor_cycles = 100'000'000;
  const LaunchModel model = model_launch(round_gpu(), launch, traffic);
  EXPECT_EQ(model.terms.size(), others + 1);
  EXPECT_EQ(model.bound_by, "tensor");
  EXPECT_DOUBLE_EQ(model.seconds, 2e-6 + 1e-3);  // on each of 100 SMs
}

TEST(Model, OccupancyNamesWhatLimitsIt) {
  LaunchRecord launch = launch_of(1000, 256);
  EXPECT_EQ(model_launch(round_gpu(), launch, {}).occupancy, (Occupancy{8, 64, 1.0, "threads"}));
  launch.registers = 64;
  EXPECT_EQ(model_launch(round_gpu(), launch, {}).occupancy, (Occupancy{4, 32, 0.5, "registers"}));
  launch.static_shared_bytes = 47 << 10;
  EXPECT_EQ(model_launch(round_gpu(), launch, {}).occupancy, (Occupancy{2, 16, 0.25, "shared memory"}));
}

}  // namespace
}  // namespace fusebox::sim
