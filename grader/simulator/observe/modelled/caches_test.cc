#include "grader/simulator/observe/modelled/caches.h"

#include <gtest/gtest.h>

#include <vector>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

class CachesTest : public ::testing::Test {
 protected:
  CachesTest() {
    gpu.sms = 2;
    gpu.l2_bytes = gpu.l2_effective_bytes = 64 << 10;
    gpu.l1_and_shared_bytes_per_sm = 32 << 10;
    gpu.shared_bytes_per_sm = 16 << 10;
    gpu.max_threads_per_sm = 2048;
  }
  void begin(Caches& caches, std::uint32_t blocks = 4) {
    LaunchInfo launch;
    launch.grid.x = blocks;
    launch.block.x = 32;
    caches.begin_launch(launch);
    begin_block(caches, 0);
  }
  void begin_block(Caches& caches, std::uint64_t block) {
    block_now = block;
    log.block_begin(block);
    pass_on(caches);
  }
  void pass_on(Caches& caches) {
    caches.apply(log.events());
    log.events().clear();
  }
  void touch(Caches& caches, AccessKind kind, std::uint64_t base, std::uint64_t stride,
             std::uint8_t bytes = 4, bool bulk = false) {
    std::vector<std::uint64_t> address(kWarpSize);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) address[lane] = base + lane * stride;
    WarpAccess access;
    access.kind = kind;
    access.bytes = bytes;
    access.lanes = ~LaneMask{0};
    access.address = address.data();
    access.warp.block = block_now;
    if (bulk)
      log.bulk_access(access, 0);
    else
      log.access(access);
    log.run_ended(access.warp);
    pass_on(caches);
  }
  /// Of all lanes, in one straight run with what comes before and after.
  void in_a_row(AccessKind kind, std::uint64_t base, std::uint64_t stride, Order order = Order::weak,
                Space space = Space::global) {
    std::vector<std::uint64_t> address(kWarpSize);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) address[lane] = base + lane * stride;
    WarpAccess access;
    access.space = space;
    access.kind = kind;
    access.lanes = ~LaneMask{0};
    access.address = address.data();
    access.order = order;
    access.warp.block = block_now;
    log.access(access);
  }
  void end_run(Caches& caches) {
    WarpId warp;
    warp.block = block_now;
    log.run_ended(warp);
    pass_on(caches);
  }
  GpuProfile gpu;
  CacheLog log;
  std::uint64_t block_now = 0;
};

TEST_F(CachesTest, ColdReadsComeFromDramAndThenFromL1) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 4);
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 128u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 128u);
  EXPECT_EQ(caches.traffic().l1_hit_sectors, 4u);
  EXPECT_EQ(caches.traffic().dram_waits, 1u);
  EXPECT_EQ(caches.traffic().l1_waits, 1u);
}

TEST_F(CachesTest, DramReadsPairsOfSectorsAndTheOtherOneStays) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 0);  // all lanes: one sector
  EXPECT_EQ(caches.traffic().dram_read_bytes, 64u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 32u);
  touch(caches, AccessKind::load, (1 << 20) + 32, 0);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 64u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 64u);
  touch(caches, AccessKind::load, (1 << 20) + 96, 0);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 128u);
  EXPECT_EQ(caches.traffic().l2_requests, 3u);
}

TEST_F(CachesTest, TheWayToL2TakesACycleForARequestAndForEachSectorWithIt) {
  const auto cycles = [&](AccessKind kind, std::uint64_t apart) {
    Caches caches(gpu);
    begin(caches);
    touch(caches, kind, 1 << 20, apart);
    return caches.traffic().port_cycles;
  };
  EXPECT_EQ(cycles(AccessKind::store, 4), 4u) << "a whole line";
  EXPECT_EQ(cycles(AccessKind::store, 16), 4 + 16u);
  EXPECT_EQ(cycles(AccessKind::store, 96), 24 + 32u);
  EXPECT_EQ(cycles(AccessKind::store, 256), 32 + 32u);
  EXPECT_EQ(cycles(AccessKind::load, 256), 32u);
}

TEST_F(CachesTest, DramIsBusyLongerWithHalvesOfLinesThatLieFarApart) {
  const auto extra = [&](std::uint64_t apart) {
    Caches caches(gpu);
    begin(caches);
    touch(caches, AccessKind::load, 1 << 20, apart);
    EXPECT_EQ(caches.traffic().dram_read_bytes, apart == 32 ? 32 * 32u : 32 * 64u) << apart;
    return caches.traffic().dram_extra_bytes;
  };
  EXPECT_EQ(extra(32), 0u);
  EXPECT_LT(extra(128), 64u) << "one after the other";
  EXPECT_GT(extra(4096), 32 * 30u);
}

TEST_F(CachesTest, AsynchronousCopiesAreWaitedForTogetherWhenTheWarpSaysSo) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 %rd<2>;\n.reg .b32 "
      "%r<2>;\ncp.async.ca.shared.global [%r0], [%rd0], 4;\nret;\n}\n");
  ASSERT_TRUE(module) << module.error().what;
  Caches caches(gpu);
  begin(caches);
  std::vector<std::uint64_t> address(kWarpSize);
  WarpAccess access;
  access.lanes = ~LaneMask{0};
  access.address = address.data();
  access.warp.function = &module->functions.at(0);
  for (int copy = 0; copy < 3; ++copy) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      address[lane] = (1 << 20) + 128ull * static_cast<unsigned>(copy) + 4 * lane;
    log.access(access);
    log.run_ended({});
  }
  log.copies({}, ~LaneMask{0}, CopyUse::commit, 0);
  pass_on(caches);
  EXPECT_EQ(caches.traffic().dram_waits, 0u);
  log.copies({}, ~LaneMask{0}, CopyUse::wait, 0);
  log.copies({}, ~LaneMask{0}, CopyUse::wait_all, 0);
  pass_on(caches);
  EXPECT_EQ(caches.traffic().dram_waits, 1u);
}

TEST_F(CachesTest, CopiesPassThroughL2AndAreNoTrafficOfALaunch) {
  constexpr std::uint64_t kA = 1 << 20, kB = 2 << 20, kBytes = 8 << 10;
  Caches caches(gpu);
  begin(caches);
  const CacheTraffic copied = caches.copy(kB, kA, kBytes);
  EXPECT_EQ(copied.dram_read_bytes, kBytes);  // whole sectors that are written need not be read
  EXPECT_EQ(copied.dram_write_bytes, 0u);
  EXPECT_EQ(copied.l2_read_bytes, kBytes);
  EXPECT_EQ(copied.l2_write_bytes, kBytes);
  EXPECT_EQ(caches.dirty_bytes(), kBytes);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 0u);
  // The launch behind it finds both ends.
  touch(caches, AccessKind::load, kA, 4);
  touch(caches, AccessKind::load, kB + kBytes - 128, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 0u);
}

TEST_F(CachesTest, AMemsetAndACopyFromTheHostWriteOnly) {
  Caches caches(gpu);
  begin(caches);
  const CacheTraffic set = caches.copy((1 << 20) + 4, 0, 4096);
  EXPECT_EQ(set.l2_read_bytes, 0u);
  EXPECT_EQ(set.l2_write_bytes, 129u * 32);  // begins inside a sector
  EXPECT_EQ(set.l2_partial_sectors, 2u);
}

TEST_F(CachesTest, ALargeMemsetCastsOutWhatWasThereBefore) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 4);
  const CacheTraffic set = caches.copy(16 << 20, 0, 4 * gpu.l2_effective_bytes);
  EXPECT_GT(set.dram_write_bytes, 2 * gpu.l2_effective_bytes);
  EXPECT_LE(caches.dirty_bytes(), gpu.l2_effective_bytes);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 128u);
}

TEST_F(CachesTest, BulkLoadsPassL1) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 16, 16, true);
  touch(caches, AccessKind::load, 1 << 20, 16, 16, true);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 512u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 1024u);
  EXPECT_EQ(caches.traffic().l1_sectors, 0u);
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 1152u);
}

TEST_F(CachesTest, AnotherSmFindsItInL2AndTheNextLaunchToo) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 4);
  begin_block(caches, 1);  // the other SM
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 128u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 256u);
  begin(caches);  // L1 is cold again, L2 is not
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 0u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 128u);
  caches.flush();
  begin(caches);
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 128u);
}

TEST_F(CachesTest, SectorsWrittenInPartsAreFilledWhenTheyGo) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::store, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().l2_write_bytes, 128u);
  EXPECT_EQ(caches.traffic().l2_partial_sectors, 0u);
  touch(caches, AccessKind::store, 2 << 20, 32);  // four bytes of each of 32 sectors
  EXPECT_EQ(caches.traffic().l2_partial_sectors, 32u);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 0u);
  for (std::uint64_t i = 0; i < 8 * gpu.l2_bytes; i += 128)
    touch(caches, AccessKind::store, (8 << 20) + i, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 32u * 32);
}

TEST_F(CachesTest, AtomicsTakeTurnsInTheSliceOfTheirLine) {
  gpu.l2_slices = 8;
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::atomic, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().atomic_turns, 4);
  EXPECT_EQ(caches.traffic().busiest_atomic_turns, 4);
  EXPECT_EQ(caches.traffic().l2_atomic_bytes, 128u);
  touch(caches, AccessKind::atomic, 1 << 20, 0);  // 32 lanes on one word, of a sector that is whole no more
  EXPECT_EQ(caches.traffic().busiest_atomic_turns, 4 + 32 * 1.25);
  touch(caches, AccessKind::atomic, (1 << 20) + 256, 4);  // the other slice
  EXPECT_EQ(caches.traffic().atomic_turns, 8 + 32 * 1.25);
  EXPECT_EQ(caches.traffic().busiest_atomic_turns, 4 + 32 * 1.25);
  EXPECT_EQ(caches.traffic().l2_partial_sectors, 0u);
  begin(caches);
  EXPECT_EQ(caches.traffic().atomic_turns, 0);
}

TEST_F(CachesTest, OneLaneMayAddForAllAndFloatsWaitForOneAnother) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n"
      "ld.param.u64 %rd1, [p];\nred.global.add.u32 [%rd1], 1;\nred.global.add.f32 [%rd1], 0f3F800000;\nret;\n}\n");
  ASSERT_TRUE(module) << module.error().what;
  gpu.l2_slices = 8;
  Caches caches(gpu);
  const std::vector<std::uint64_t> address(kWarpSize, 1 << 20);
  WarpAccess access;
  access.kind = AccessKind::atomic;
  access.lanes = ~LaneMask{0};
  access.address = address.data();
  access.warp.function = &module->functions.at(0);
  const auto busiest = [&](std::uint32_t instruction) {
    begin(caches);
    access.instruction = instruction;
    log.access(access);
    pass_on(caches);
    return caches.traffic().busiest_atomic_turns;
  };
  EXPECT_EQ(busiest(1), 1.25);
  EXPECT_EQ(busiest(2), 32 * 3.0);
}

TEST_F(CachesTest, WhatDoesNotFitIsWrittenBack) {
  Caches caches(gpu);
  begin(caches);
  for (std::uint64_t i = 0; i < 2 * gpu.l2_bytes; i += 128)
    touch(caches, AccessKind::store, (1 << 20) + i, 4);
  // Twice the cache was written: what waits in it is less than half of it.
  EXPECT_GE(caches.traffic().dram_write_bytes, 3 * gpu.l2_bytes / 2);
  EXPECT_EQ(caches.traffic().dram_write_bytes + caches.dirty_bytes(), 2 * gpu.l2_bytes);
}

TEST_F(CachesTest, WhatABlockUsedIsGoneWhenItHasFetchedItsShareOfL2) {
  Caches caches(gpu);
  begin(caches, 4);  // all four are there at once: 128 of 512 lines for each, 0.9 to 1.55 times
  const auto bytes_read = [&](std::uint64_t address) {
    const std::uint64_t before = caches.traffic().dram_read_bytes;
    touch(caches, AccessKind::load, address, 16, 16, true);  // four lines
    return caches.traffic().dram_read_bytes - before;
  };
  const auto stream = [&](std::uint64_t base, std::uint64_t lines) {
    for (std::uint64_t i = 0; i < lines; i += 4) bytes_read(base + i * 128);
  };
  EXPECT_EQ(bytes_read(5 << 20), 512u);
  stream(6 << 20, 264);
  EXPECT_EQ(bytes_read(5 << 20), 0u) << "the first one's: others may be about to use it";
  begin_block(caches, 2);
  EXPECT_EQ(bytes_read(1 << 20), 512u);
  stream(2 << 20, 108);
  EXPECT_EQ(bytes_read(1 << 20), 0u);
  stream(3 << 20, 204);
  EXPECT_EQ(bytes_read(1 << 20), 512u);
  // What several use stays: somebody has just used it.
  begin_block(caches, 1);
  EXPECT_EQ(bytes_read(1 << 20), 0u);
  stream(4 << 20, 264);
  EXPECT_EQ(bytes_read(1 << 20), 0u);
}

// A block that reads its row twice, of which all have half as much again as L2 has: some of it is still there
// whichever part it is, and what it writes in between is nobody's room.
TEST_F(CachesTest, WhatABlockComesBackToIsPartlyGoneNearItsShareOfL2) {
  constexpr std::uint64_t kRow = 160;  // lines; 115 to 198 are kept
  Caches caches(gpu);
  begin(caches, 4);
  begin_block(caches, 1);
  touch(caches, AccessKind::load, 1 << 20, 16, 16, true);  // the first one keeps all
  begin_block(caches, 2);
  const auto read_row = [&](std::uint64_t from, std::uint64_t to) {
    const std::uint64_t before = caches.traffic().dram_read_bytes;
    for (std::uint64_t i = from; i < to; i += 4)
      touch(caches, AccessKind::load, (2 << 20) + i * 128, 16, 16, true);
    return (caches.traffic().dram_read_bytes - before) / 128.0;
  };
  EXPECT_EQ(read_row(0, kRow), kRow);
  for (std::uint64_t i = 0; i < 40; i += 4) touch(caches, AccessKind::store, (4 << 20) + i * 128, 16, 16);
  const double first = read_row(0, kRow / 2), second = read_row(kRow / 2, kRow);
  for (const double again : {first, second}) {
    EXPECT_GT(again, 0.25 * kRow / 2);
    EXPECT_LT(again, 0.85 * kRow / 2);
  }
}

// Two blocks of an SM have 256 lines of L1; a row of 32 is there again, one of 180 is not.
TEST_F(CachesTest, WhatABlockComesBackToIsPartlyGoneNearItsShareOfL1) {
  const auto again = [&](std::uint64_t lines) {
    Caches caches(gpu);
    begin(caches, 4);
    for (std::uint64_t block = 0; block < 4; ++block) {
      begin_block(caches, block);  // the first of an SM keeps all
      touch(caches, AccessKind::load, (block + 1) << 20, 4);
    }
    const auto read_row = [&] {
      const std::uint64_t before = caches.traffic().l2_read_bytes;
      for (std::uint64_t i = 0; i < lines; ++i) touch(caches, AccessKind::load, (9 << 20) + i * 128, 4);
      return static_cast<double>(caches.traffic().l2_read_bytes - before) / 128;
    };
    EXPECT_EQ(read_row(), static_cast<double>(lines));
    return read_row() / static_cast<double>(lines);
  };
  EXPECT_EQ(again(30), 0);
  EXPECT_NEAR(again(64), 0.4, 0.15);
  EXPECT_NEAR(again(128), 0.8, 0.15);
  EXPECT_EQ(again(190), 1);
}

TEST_F(CachesTest, ABlockAloneHasAllOfL2) {
  Caches caches(gpu);
  begin(caches, 1);
  touch(caches, AccessKind::load, 1 << 20, 4, 4, true);
  for (std::uint64_t i = 0; i < 256; ++i) touch(caches, AccessKind::load, (2 << 20) + i * 128, 4, 4, true);
  const std::uint64_t before = caches.traffic().dram_read_bytes;
  touch(caches, AccessKind::load, 1 << 20, 4, 4, true);
  EXPECT_EQ(caches.traffic().dram_read_bytes, before);
}

TEST_F(CachesTest, WhatIsStoredIsFoundInL1) {
  Caches caches(gpu);
  begin(caches);
  touch(caches, AccessKind::store, 1 << 20, 4);
  touch(caches, AccessKind::load, 1 << 20, 4);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 0u);
  touch(caches, AccessKind::atomic, 2 << 20, 4);  // is carried out in L2
  touch(caches, AccessKind::load, 2 << 20, 4);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 256u);
}

TEST_F(CachesTest, ALoadThatOthersMayChangePassesL1) {
  Caches caches(gpu);
  begin(caches);
  for (int time = 0; time < 2; ++time) in_a_row(AccessKind::load, 1 << 20, 4, Order::volatile_access);
  end_run(caches);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 256u);
}

TEST_F(CachesTest, StoresInARowToPartsOfTheSameSectorsLeaveAsOne) {
  const auto bytes_written = [&](Order order, AccessKind between, std::uint64_t stride) {
    Caches caches(gpu);
    begin(caches);
    for (std::uint64_t column = 0; column < 4; ++column) {
      in_a_row(AccessKind::store, (1 << 20) + 4 * column, stride, order);
      if (between != AccessKind::store) in_a_row(between, 2 << 20, 4);
    }
    end_run(caches);
    return caches.traffic().l2_write_bytes - (between == AccessKind::atomic ? 4 * 128 : 0);
  };
  EXPECT_EQ(bytes_written(Order::weak, AccessKind::store, 16), 512u);
  EXPECT_EQ(bytes_written(Order::weak, AccessKind::load, 16), 512u);  // of what nobody writes: it goes first
  EXPECT_EQ(bytes_written(Order::weak, AccessKind::atomic, 16), 4 * 512u);
  EXPECT_EQ(bytes_written(Order::volatile_access, AccessKind::store, 16), 4 * 512u);
  EXPECT_EQ(bytes_written(Order::weak, AccessKind::store, 128), 4 * 32 * 32u);  // more lines than are held
}

TEST_F(CachesTest, BlocksThatTakeTurnsKeepTheirSm) {
  Caches caches(gpu);
  begin(caches, 2);
  touch(caches, AccessKind::load, 1 << 20, 4);
  begin_block(caches, 1);
  touch(caches, AccessKind::load, 2 << 20, 4);
  block_now = 0;  // goes on, as at a barrier of the grid
  touch(caches, AccessKind::load, 1 << 20, 4);
  block_now = 1;
  touch(caches, AccessKind::load, 2 << 20, 4);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 256u);
  EXPECT_EQ(caches.traffic().l1_hit_sectors, 8u);
}

TEST_F(CachesTest, LocalMemoryIsALineForEachWordOfAWarp) {
  Caches caches(gpu);
  begin(caches, 8);
  for (std::uint64_t word = 0; word < 3; ++word)
    in_a_row(AccessKind::store, 4 * word, 0, Order::weak, Space::local);
  for (std::uint64_t word = 0; word < 3; ++word)
    in_a_row(AccessKind::load, 4 * word, 0, Order::weak, Space::local);
  in_a_row(AccessKind::load, 12, 4, Order::weak, Space::local);  // each lane another word
  end_run(caches);
  EXPECT_EQ(caches.traffic().l2_write_bytes, 3 * 128u);
  EXPECT_EQ(caches.traffic().l2_read_bytes, 32 * 32u);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 32 * 64u);  // in pairs of sectors
  // The block that takes its place has its words where they were, another one elsewhere.
  begin_block(caches, 1);
  in_a_row(AccessKind::load, 0, 0, Order::weak, Space::local);
  end_run(caches);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 32 * 64u + 128u);
}

TEST_F(CachesTest, LocalMemoryStaysInL1WhereAllResidentBlocksHaveRoomForIt) {
  ptx::Function function;
  function.local.emplace_back().bytes = 64;  // of a lane: 2 KB of a block of one warp
  LaunchInfo launch;
  launch.function = &function;
  launch.block.x = 32;
  const auto bytes_to_l2 = [&](std::uint32_t blocks, int registers) {
    Caches caches(gpu);
    launch.grid.x = blocks;
    launch.registers = registers;
    caches.begin_launch(launch);
    begin_block(caches, 0);
    in_a_row(AccessKind::store, 0, 0, Order::weak, Space::local);
    in_a_row(AccessKind::load, 0, 0, Order::weak, Space::local);
    end_run(caches);
    EXPECT_EQ(caches.traffic().l1_hit_sectors, 4u);
    return caches.traffic().l2_write_bytes;
  };
  EXPECT_EQ(bytes_to_l2(2 * 8, 0), 0u);     // eight on each SM: 16 of the 32 KB
  EXPECT_EQ(bytes_to_l2(2 * 16, 0), 128u);  // all of it, and nothing else can be kept
  EXPECT_EQ(bytes_to_l2(2 * 16, 255), 0u);  // there are registers for eight
}

TEST(CacheLog, SaysWhenThereWasMoreThanItKeeps) {
  CacheLog log;
  log.begin(2);
  for (std::uint64_t block = 0; block < 2; ++block) log.block_begin(block);
  EXPECT_FALSE(log.overflowed());
  for (std::uint64_t block = 2; block < 1000; ++block) log.block_begin(block);
  EXPECT_TRUE(log.overflowed());
  EXPECT_EQ(log.events().size(), 2u);
  log.begin(2);
  EXPECT_FALSE(log.overflowed());
}

TEST_F(CachesTest, WaitsBehindAWarpsLastReadOfDramAreWithinTheSm) {
  Caches caches(gpu);
  begin(caches);
  const auto load = [&](std::uint64_t base) { touch(caches, AccessKind::load, base, 4); };
  load(std::uint64_t{1 << 20}), load(std::uint64_t{1 << 20}), load(std::uint64_t{1 << 20} + 4096);
  EXPECT_EQ(caches.traffic().waits_within, 0u) << "the first hit came before a miss";
  load(std::uint64_t{1 << 20}), load(std::uint64_t{1 << 20} + 4096);
  EXPECT_EQ(caches.traffic().waits_within, 2u);
  begin_block(caches, 1);
  load(std::uint64_t{1 << 20} + 8192), load(std::uint64_t{1 << 20} + 8192);
  EXPECT_EQ(caches.traffic().waits_within, 3u);
  EXPECT_EQ(caches.traffic().l1_waits, 4u);
}

TEST_F(CachesTest, OfWhatIsWrittenLessThanHalfOfL2WaitsForDram) {
  gpu.l2_bytes = gpu.l2_effective_bytes = 30 << 16;
  Caches caches(gpu);
  begin(caches);
  constexpr std::uint64_t kAt = 1 << 20, kRow = 128, kRows = (20 << 16) / kRow;
  for (std::uint64_t row = 0; row < kRows; ++row) touch(caches, AccessKind::store, kAt + row * kRow, 4);
  const std::uint64_t written = caches.traffic().dram_write_bytes;
  EXPECT_NEAR(static_cast<double>(caches.dirty_bytes()), 14 << 16, 1 << 13);
  EXPECT_EQ(written + caches.dirty_bytes(), kRows * kRow);
  // The oldest were written, and are still there.
  for (std::uint64_t row = 0; row < 1000; ++row) touch(caches, AccessKind::load, kAt + row * kRow, 4);
  EXPECT_EQ(caches.traffic().dram_read_bytes, 0u);
  EXPECT_EQ(caches.traffic().dram_write_bytes, written);
  caches.flush();
  EXPECT_EQ(caches.dirty_bytes(), 0u);
}

}  // namespace
}  // namespace fusebox::sim
