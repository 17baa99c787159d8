#include "grader/simulator/observe/traffic/traffic.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "grader/simulator/observe/traffic/instruction_cost.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr LaneMask kFull = 0xFFFFFFFF;
constexpr std::uint64_t kX = 0x10000, kY = 0x20000;

ptx::Instruction instruction(const char* opcode, std::vector<std::string> modifiers, int line,
                             std::uint32_t file = 1) {
  ptx::Instruction made;
  made.opcode = ptx::find_opcode(opcode);
  made.modifiers = std::move(modifiers);
  made.location = {file, line};
  return made;
}

ptx::Module with_files() {
  ptx::Module module;
  module.files = {"", "k.cu", "h.h"};
  return module;
}

/// A launch that the test plays by hand.
class Played : public testing::Test {
 protected:
  Played() {
    function.instructions = {
        instruction("ld", {"global", "f32"}, 10),           // 0
        instruction("fma", {"rn", "f32"}, 11),              // 1
        instruction("st", {"global", "f32"}, 12),           // 2
        instruction("ld", {"shared", "f32"}, 11),           // 3
        instruction("bra", {}, 13),                         // 4
        instruction("atom", {"global", "add", "f32"}, 12),  // 5
        instruction("ret", {}, 0),                          // 6: no known line
    };
    traffic.set_ranges({{"x", kX, 4096}, {"y", kY, 4096}});
    begin();
  }

  void begin() {
    LaunchInfo launch;
    launch.function = &function;
    traffic.launch_begin(launch);
  }
  void access(Traffic& to, Space space, AccessKind kind, std::uint32_t at, LaneMask lanes,
              const std::function<std::uint64_t(std::uint64_t)>& address, std::uint8_t bytes = 4) {
    std::array<std::uint64_t, kWarpSize> all;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) all[lane] = address(lane);
    WarpAccess event;
    event.space = space;
    event.kind = kind;
    event.bytes = bytes;
    event.lanes = lanes;
    event.instruction = at;
    event.address = all.data();
    to.access(event);
  }
  void load(std::uint32_t at, LaneMask lanes, const std::function<std::uint64_t(std::uint64_t)>& address) {
    access(traffic, Space::global, AccessKind::load, at, lanes, address);
  }
  LaunchRecord end() {
    traffic.launch_end();
    LaunchRecord record;
    traffic.fill(record);
    return record;
  }

  ptx::Function function;
  ptx::Module module = with_files();
  Traffic traffic{module};
};

TEST_F(Played, ALaunchOfNothingCountsNothing) {
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters, Counters{});
  EXPECT_TRUE(record.tensors.empty());
  EXPECT_TRUE(record.lines.empty());
}

TEST_F(Played, LoadsAndStoresAreApart) {
  load(0, kFull, [](auto i) { return kX + 4 * i; });
  load(0, 0xFFFF, [](auto i) { return kX + 128 + 8 * i; });
  access(traffic, Space::global, AccessKind::store, 2, kFull, [](auto i) { return kY + 4 + 4 * i; });
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters.global_load, (GlobalTraffic{2, 8, 2, 192, 6, 48}));
  EXPECT_EQ(record.counters.global_store, (GlobalTraffic{1, 5, 2, 128, 4, 32}));
  EXPECT_EQ(record.counters.requested_bytes(), 13 * 32u);
  ASSERT_EQ(record.tensors.size(), 2u);
  EXPECT_EQ(record.tensors[0], (TensorTraffic{"x", 4096, 256, 0, 256, 0}));
  EXPECT_EQ(record.tensors[1], (TensorTraffic{"y", 4096, 0, 160, 0, 160}));
}

TEST_F(Played, WhatIsAskedOfNoBufferIsWaiting) {
  // Blocks that wait for the grid look into its workspace as often as the schedule has it: no budget is of
  // that.
  load(0, kFull, [](auto i) { return kX + 4 * i; });
  for (int look = 0; look < 50; ++look) load(2, 1, [](auto) { return 0x7f0000; });
  const Counters counters = end().counters;
  EXPECT_EQ(counters.global_load.sectors, 54u);
  EXPECT_EQ(counters.waiting_sectors, 50u);
  EXPECT_EQ(counters.requested_bytes(), 4 * 32u);
}

TEST_F(Played, AtomicsOnNoBufferAreWaiting) {
  for (const std::uint64_t address : {kX, kX, std::uint64_t{0x7f0000}})
    access(traffic, Space::global, AccessKind::atomic, 3, 1, [=](auto) { return address; });
  const Counters counters = end().counters;
  EXPECT_EQ(counters.global_atomic.requests, 3u);
  EXPECT_EQ(counters.waiting_atomics, 1u);
}

TEST_F(Played, CompulsoryBytesCountASectorOnceInALaunch) {
  for (int repeat = 0; repeat < 3; ++repeat) load(0, kFull, [](auto i) { return kX + 4 * i; });
  load(0, kFull, [](auto i) { return kX + 4 * (31 - i); });
  load(0, kFull, [](auto) { return kX + 64; });
  load(0, kFull, [](auto i) { return kX + 96 + 32 * i; });
  const Counters counters = end().counters;
  EXPECT_EQ(counters.global_load.sectors, 4 * 4 + 1 + 32u);
  EXPECT_EQ(counters.compulsory_read_bytes, 35 * 32u);
  EXPECT_EQ(counters.compulsory_write_bytes, 0u);
}

TEST_F(Played, EachOfManyLaunchesStartsFromNothing) {
  // Sectors that come back after 255 and after 256 launches: a launch must not be mistaken for an old one.
  traffic.set_ranges({{"x", kX, 32 * 512}});
  for (int launch = 0; launch < 1000; ++launch) {
    begin();
    load(0, 1, [&](auto) { return kX + 32 * (launch % 255); });
    load(0, 1, [&](auto) { return kX + 32 * (256 + launch % 256); });
    ASSERT_EQ(end().counters.compulsory_read_bytes, 64u) << launch;
  }
}

TEST_F(Played, BuffersMayComeAndGoBetweenLaunches) {
  load(0, kFull, [](auto i) { return kY + 4 * i; });
  end();
  traffic.set_ranges({{"fresh", 0x18000, 64}, {"y", kY, 4096}});
  begin();
  load(0, kFull, [](auto i) { return kY + 4 * i; });
  load(0, 1, [](auto) { return 0x18000 + 60; });
  const LaunchRecord record = end();
  ASSERT_EQ(record.tensors.size(), 2u);
  EXPECT_EQ(record.tensors[0], (TensorTraffic{"fresh", 64, 32, 0, 32, 0}));
  EXPECT_EQ(record.tensors[1], (TensorTraffic{"y", 4096, 128, 0, 128, 0}));
}

TEST_F(Played, ARequestOverTwoBuffersIsSplitBetweenThem) {
  load(0, kFull, [](auto i) { return (i % 2 ? kX : kY) + 4 * i; });
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters.global_load, (GlobalTraffic{1, 8, 2, 128, 4, 32}));
  ASSERT_EQ(record.tensors.size(), 2u);
  EXPECT_EQ(record.tensors[0].requested_read, 128u);
  EXPECT_EQ(record.tensors[1].compulsory_read, 128u);
}

TEST_F(Played, AtomicsReadAndWrite) {
  access(traffic, Space::global, AccessKind::atomic, 5, kFull, [](auto i) { return kX + 32 * (i % 4); });
  access(traffic, Space::global, AccessKind::atomic, 5, 0xF, [](auto i) { return kX + 4 * i; });
  access(traffic, Space::shared, AccessKind::atomic, 3, kFull, [](auto) { return 0; });
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters.global_atomic, (AtomicTraffic{2, 33, 36, 8}));
  EXPECT_EQ(record.counters.shared_atomic, (AtomicTraffic{1, 0, 32, 32}));
  EXPECT_EQ(record.counters.global_load, GlobalTraffic{});
  ASSERT_EQ(record.tensors.size(), 1u);
  EXPECT_EQ(record.tensors[0], (TensorTraffic{"x", 4096, 1056, 1056, 128, 128}));
}

TEST_F(Played, SharedAndLocalMemory) {
  access(traffic, Space::shared, AccessKind::load, 3, kFull, [](auto i) { return 128 * i; });
  access(
      traffic, Space::shared, AccessKind::store, 2, kFull, [](auto i) { return 8 * i; }, 8);
  access(traffic, Space::local, AccessKind::load, 0, kFull, [](auto) { return 0; });
  access(traffic, Space::local, AccessKind::store, 2, 1, [](auto) { return 0; });
  access(
      traffic, Space::local, AccessKind::store, 2, kFull, [](auto) { return 16; }, 16);
  access(
      traffic, Space::local, AccessKind::store, 2, kFull, [](auto) { return 8; }, 1);
  access(traffic, Space::constant, AccessKind::load, 0, kFull, [](auto) { return 0; });
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters.shared_load, (SharedTraffic{1, 32, 1, 32}));
  EXPECT_EQ(record.counters.shared_store, (SharedTraffic{1, 2, 2, 32}));
  EXPECT_EQ(record.counters.local_load_requests, 1u);
  EXPECT_EQ(record.counters.local_store_requests, 1 + 4 + 1u);
  EXPECT_TRUE(record.tensors.empty());
}

TEST_F(Played, LocalMemoryKeepsL1BusyAsOnAnH200) {
  const auto cycles = [&](AccessKind kind, LaneMask lanes, std::uint8_t bytes) {
    const std::uint64_t before = end().data_stage_cycles;
    access(
        traffic, Space::local, kind, kind == AccessKind::load ? 0 : 2, lanes, [](auto) { return 0; }, bytes);
    return end().data_stage_cycles - before;
  };
  EXPECT_EQ(cycles(AccessKind::store, kFull, 4), 4u);
  EXPECT_EQ(cycles(AccessKind::store, kFull, 16), 16u);
  EXPECT_EQ(cycles(AccessKind::store, 0xff, 8), 2u);
  EXPECT_EQ(cycles(AccessKind::load, kFull, 4), 1u);
  EXPECT_EQ(cycles(AccessKind::load, kFull, 8), 2u);
  EXPECT_EQ(cycles(AccessKind::load, kFull, 16), 12u);
}

TEST_F(Played, ALoadTakesATurnForWordsOfOneBankOrForSomeLines) {
  const auto cycles = [&](std::uint8_t bytes, auto place) {
    const std::uint64_t before = end().data_stage_cycles;
    access(
        traffic, Space::global, AccessKind::load, 0, kFull, [&](auto i) { return kX + place(i); }, bytes);
    return end().data_stage_cycles - before;
  };
  EXPECT_EQ(cycles(4, [](auto i) { return 4 * i; }), 1u);
  EXPECT_EQ(cycles(16, [](auto i) { return 16 * i; }), 4u) << "128 bytes a cycle";
  EXPECT_EQ(cycles(4, [](auto) { return 0; }), 1u);
  EXPECT_EQ(cycles(4, [](auto i) { return 128 * i; }), 32u) << "the first word of each line";
  EXPECT_EQ(cycles(4, [](auto i) { return 132 * i; }), 10u) << "a bank of its own for each";
}

TEST_F(Played, ConstantsAtSeveralAddressesAreLookedUpOneByOne) {
  const auto load = [&](LaneMask lanes, auto place) {
    access(traffic, Space::constant, AccessKind::load, 0, lanes, place);
    return end().unit_cycles;
  };
  EXPECT_EQ(load(kFull, [](auto) { return 64; }).constants, 0);
  EXPECT_EQ(load(kFull, [](auto i) { return 64 + 4 * (i % 4); }).constants, 4 * kConstantCycles);
  EXPECT_EQ(end().unit_cycles.waits, 3 * kConstantWait);
  EXPECT_EQ(load(1, [](auto) { return 128; }).constants, 4 * kConstantCycles) << "one lane, one address";
}

TEST_F(Played, LocalMemoryAtPlacesThatDifferByLaneIsALineForEach) {
  const auto cycles = [&](AccessKind kind, std::uint64_t places) {
    const std::uint64_t before = end().data_stage_cycles;
    access(traffic, Space::local, kind, kind == AccessKind::load ? 0 : 2, kFull,
           [&](auto lane) { return 4 * (lane % places); });
    return end().data_stage_cycles - before;
  };
  // An H200 takes 4.0, 8.1, 18, 40, 48 and 64 for the stores, and 1.7, 1.9, 1.9, 2.9, 4.9 and 8.3 for the
  // loads.
  const std::uint64_t stores[] = {4, 10, 20, 40, 48, 64}, loads[] = {1, 1, 1, 2, 4, 8};
  for (unsigned doubled = 0; doubled < 6; ++doubled) {
    EXPECT_EQ(cycles(AccessKind::store, 1u << doubled), stores[doubled]) << doubled;
    EXPECT_EQ(cycles(AccessKind::load, 1u << doubled), loads[doubled]) << doubled;
  }
}

// An H200 counts 4,096 sectors where 4,096 warps add integers to one word each, and 131,072 of floats.
TEST_F(Played, WhatOneLaneCarriesOutForAllIsOneSector) {
  const auto sectors = [&](const char* type) {
    function.instructions[5] = instruction("red", {"global", "add", type}, 12);
    function.instructions[5].operands.resize(2);
    function.instructions[5].operands[0].kind = ptx::Operand::Kind::address;
    function.instructions[5].operands[0].name = "%rd1";
    function.instructions[5].operands[1].kind = ptx::Operand::Kind::reg;
    function.instructions[5].operands[1].name = "%r1";
    begin();
    access(traffic, Space::global, AccessKind::atomic, 5, kFull, [](auto) { return kX; });
    const Counters counters = end().counters;
    EXPECT_EQ(counters.global_red.requests, 1u) << type;
    EXPECT_EQ(counters.global_atomic.sectors, 32u) << "as the program has it";
    return counters.global_red.sectors;
  };
  EXPECT_EQ(sectors("u32"), 1u);
  EXPECT_EQ(sectors("f32"), 32u);
}

TEST_F(Played, InstructionsFlopsBranchesBarriers) {
  traffic.executed({&function, 0, 4, 1, 32, 2, 1});
  traffic.executed({&function, 1, 2, 1, 3});
  traffic.executed({&function, 6, 6, 1, 32});
  traffic.barrier({}, 4, 0, kFull);
  const Counters counters = end().counters;
  EXPECT_EQ(counters.warp_instructions, 5 + 2 + 1u);
  EXPECT_EQ(counters.lane_instructions, 5 * 32 + 2 * 3 + 32u);
  EXPECT_EQ(counters.flops, 2 * (32 + 3u));
  EXPECT_EQ(counters.branches, 2u);
  EXPECT_EQ(counters.divergent_branches, 1u);
  EXPECT_EQ(counters.barriers, 1u);
}

TEST_F(Played, SlowUnitsAreBusyForEachWarp) {
  function.instructions[1] = instruction("fma", {"rn", "f64"}, 11);
  function.instructions[2] = instruction("mul", {"lo", "s64"}, 12);
  traffic.executed({&function, 1, 2, 3, 96});
  const UnitCycles cycles = end().unit_cycles;
  EXPECT_DOUBLE_EQ(cycles.fp64, 3 * 0.5);
  EXPECT_DOUBLE_EQ(cycles.products, 3 * 2.0);
  EXPECT_DOUBLE_EQ(cycles.waits, 3 * 3.4);
  begin();
  EXPECT_EQ(end().unit_cycles, UnitCycles{});
}

TEST_F(Played, LinesGatherTheirInstructions) {
  function.instructions[3].location = {2, 5};  // another file sorts first
  traffic.executed({&function, 0, 3, 1, 32});
  load(0, kFull, [](auto i) { return kX + 64 * i; });
  access(traffic, Space::shared, AccessKind::load, 3, kFull, [](auto i) { return 8 * i; });
  access(traffic, Space::global, AccessKind::store, 2, kFull, [](auto i) { return kY + 4 * i; });
  access(traffic, Space::global, AccessKind::atomic, 5, kFull, [](auto) { return kY; });
  traffic.executed({&function, 6, 6, 1, 1});
  const std::vector<LineTraffic> want = {
      {"", 0, 1, 1, 0, 0, 0, 0, 0},  // what has no line is still counted
      {"h.h", 5, 1, 32, 0, 0, 0, 0, 1},   {"k.cu", 10, 1, 32, 1, 32, 4, 32, 0},
      {"k.cu", 11, 1, 32, 0, 0, 0, 0, 0}, {"k.cu", 12, 1, 32, 2, 36, 5, 64, 0},
  };
  EXPECT_EQ(end().lines, want);
}

TEST_F(Played, AFunctionThatIsCalledHasInstructionsOfItsOwn) {
  ptx::Function called;
  called.instructions.assign(12, instruction("mul", {"f32"}, 30, 2));
  traffic.executed({&function, 0, 1, 1, 32});
  traffic.executed({&called, 9, 11, 1, 2});
  traffic.executed({&function, 2, 2, 1, 32});
  const LaunchRecord record = end();
  EXPECT_EQ(record.counters.warp_instructions, 2 + 3 + 1u);
  EXPECT_EQ(record.counters.flops, 2 * 32 + 3 * 2u);
  ASSERT_FALSE(record.lines.empty());
  EXPECT_EQ(record.lines.front(), (LineTraffic{"h.h", 30, 3, 6, 0, 0, 0, 0, 0}));
}

TEST_F(Played, TwoHalvesOfALaunchMergeIntoTheWhole) {
  Traffic whole{module}, half{module};
  LaunchInfo launch;
  launch.function = &function;
  for (Traffic* t : {&whole, &half}) {
    t->set_ranges({{"x", kX, 4096}, {"y", kY, 4096}});
    t->launch_begin(launch);
  }
  for (std::uint32_t block = 0; block < 8; ++block) {
    for (Traffic* t : {&whole, block % 2 ? &traffic : &half}) {
      access(*t, Space::global, AccessKind::load, 0, kFull, [&](auto i) { return kX + 64 * block + 4 * i; });
      access(*t, Space::global, AccessKind::atomic, 5, kFull >> block, [&](auto) { return kY; });
      access(*t, Space::shared, AccessKind::load, 3, kFull, [&](auto i) { return 4 * block * i; });
      t->executed({&function, 0, block % 5u, 1, 32, 1, block % 2u});
      t->barrier({}, 4, 0, kFull);
    }
  }
  traffic.merge(half);
  whole.launch_end();
  LaunchRecord want;
  whole.fill(want);
  const LaunchRecord got = end();
  EXPECT_EQ(got.counters, want.counters);
  EXPECT_EQ(got.tensors, want.tensors);
  EXPECT_EQ(got.lines, want.lines);
  EXPECT_EQ(want.counters.compulsory_read_bytes, 7 * 64 + 128 + 32u);  // the atomic reads a sector too
}

}  // namespace
}  // namespace fusebox::sim
