#include "grader/simulator/observe/faults/fault_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kX = 0x7000'0000'0000, kOut = kX + 0x10000, kGone = kX + 0x20000;

class FaultText : public testing::Test {
 protected:
  FaultText() {
    function.name = "_Z4copyPf";
    function.demangled = "copy";
    function.instructions.resize(2);
    function.instructions[1].location = {1, 17};
    launch.function = &function;
    launch.grid = {4, 3, 2};
    launch.block = {16, 8, 2};
    context.launch = &launch;
    context.files = files;
    context.buffers = buffers;
    context.freed = freed;
    context.shared = shared;
  }
  Fault fault_at(FaultKind kind, AccessKind access, Space space, std::uint64_t address,
                 std::uint8_t bytes = 4) {
    RawFault raw;
    raw.kind = kind;
    raw.access = access;
    raw.space = space;
    raw.address = address;
    raw.bytes = bytes;
    raw.instruction = 1;
    raw.function = &function;
    return describe(raw, context);
  }

  const std::vector<std::string> files = {"", "p.cu"};
  const std::vector<NamedRange> buffers = {{"x", kX, 512}, {"out", kOut, 512}};
  const std::vector<NamedRange> freed = {{"tmp", kGone, 64}};
  const std::vector<NamedRange> shared = {{"_ZZ9transposePKfE4tile", 0, 4096}, {"sums", 4096, 128}};
  ptx::Function function;
  LaunchInfo launch;
  FaultContext context;
};

TEST_F(FaultText, OutOfBoundsIsToldFromTheNearestBuffer) {
  struct Row {
    std::uint64_t address;
    std::uint8_t bytes;
    const char* kind;
    const char* where;
  };
  const Row rows[] = {
      {kOut + 516, 4, "out-of-bounds", "4 bytes past the end of `out` (512 bytes)"},
      {kOut + 513, 1, "out-of-bounds", "1 byte past the end of `out` (512 bytes)"},
      {kOut + 512, 4, "out-of-bounds", "just past the end of `out` (512 bytes)"},
      {kX - 8, 4, "out-of-bounds", "8 bytes before the start of `x` (512 bytes)"},
      {kX - 4, 8, "out-of-bounds", "4 bytes before the start of `x` (512 bytes)"},
      {kX + 504, 16, "out-of-bounds", "across the end of `x` (512 bytes)"},
      {kX + 600, 4, "out-of-bounds", "88 bytes past the end of `x` (512 bytes)"},
      {kOut - 100, 4, "out-of-bounds", "100 bytes before the start of `out` (512 bytes)"},
      {kOut + (32 << 20), 4, "out-of-bounds",
       "in no buffer; the nearest, `out` (512 bytes), is 33553920 bytes away"},
      {0, 4, "null-pointer", "null pointer"},
      {12, 4, "null-pointer", "12 bytes from a null pointer"},
      {kGone, 4, "use-after-free", "inside freed buffer `tmp` (64 bytes)"},
      {kGone + 60, 4, "use-after-free", "inside freed buffer `tmp` (64 bytes)"},
      {kGone + 64, 4, "out-of-bounds", "65088 bytes past the end of `out` (512 bytes)"},
  };
  for (const Row& row : rows) {
    const Fault fault =
        fault_at(FaultKind::out_of_bounds, AccessKind::store, Space::global, row.address, row.bytes);
    EXPECT_EQ(fault.kind, row.kind) << row.where;
    EXPECT_EQ(fault.where, row.where);
    EXPECT_FALSE(fault.hint.empty());
  }
  context.buffers = {};
  EXPECT_EQ(fault_at(FaultKind::out_of_bounds, AccessKind::load, Space::global, kX).where, "in no buffer");
}

TEST_F(FaultText, AWideAccessAcrossTheEndIsTheLastPieceThatIsNotWhole) {
  const auto hint = [&](std::uint64_t address, std::uint8_t bytes) {
    return fault_at(FaultKind::out_of_bounds, AccessKind::store, Space::global, address, bytes).hint;
  };
  EXPECT_THAT(hint(kX + 504, 16), testing::HasSubstr("behind the last whole piece by a narrower type"));
  EXPECT_THAT(hint(kX + 512, 16), testing::HasSubstr("Compare the index with the number of elements before"));
}

TEST_F(FaultText, SaysWhatWasTried) {
  const auto what = [&](FaultKind kind, AccessKind access, Space space, std::uint8_t bytes) {
    return fault_at(kind, access, space, space == Space::global ? kOut + 512 : 5000, bytes).what;
  };
  EXPECT_EQ(what(FaultKind::out_of_bounds, AccessKind::store, Space::global, 4),
            "out-of-bounds store of 4 bytes");
  EXPECT_EQ(what(FaultKind::out_of_bounds, AccessKind::load, Space::global, 1),
            "out-of-bounds load of 1 byte");
  EXPECT_EQ(what(FaultKind::out_of_bounds, AccessKind::atomic, Space::shared, 4),
            "out-of-bounds atomic operation of 4 bytes in shared memory");
  EXPECT_EQ(what(FaultKind::uninitialised_read, AccessKind::load, Space::shared, 8),
            "uninitialised read: load of 8 bytes from shared memory");
  EXPECT_EQ(what(FaultKind::misaligned, AccessKind::load, Space::global, 16), "misaligned load of 16 bytes");
}

TEST_F(FaultText, AnAtomicOnALocalVariableIsSaidToBeNone) {
  const Fault fault = fault_at(FaultKind::out_of_bounds, AccessKind::atomic, Space::local, 16);
  EXPECT_EQ(fault.what, "out-of-bounds atomic operation of 4 bytes in local memory");
  EXPECT_EQ(fault.where, "at offset 0x10");
  EXPECT_NE(fault.hint.find("shared or global"), std::string::npos) << fault.hint;
  EXPECT_EQ(fault_at(FaultKind::out_of_bounds, AccessKind::store, Space::local, 16).hint,
            "Compare the index with the size of the array.");
}

TEST_F(FaultText, SharedMemoryIsToldByArray) {
  const auto where = [&](FaultKind kind, std::uint64_t offset) {
    return fault_at(kind, AccessKind::load, Space::shared, offset).where;
  };
  EXPECT_EQ(where(FaultKind::out_of_bounds, 4224), "just past the end of `sums` (128 bytes)");
  EXPECT_EQ(where(FaultKind::uninitialised_read, 4100), "at byte 4 of `sums` (128 bytes)");
  EXPECT_EQ(where(FaultKind::uninitialised_read, 8), "at byte 8 of `tile` (4096 bytes)");
}

TEST_F(FaultText, PlacesOfInitialisationAndAlignment) {
  EXPECT_EQ(fault_at(FaultKind::uninitialised_read, AccessKind::load, Space::global, kX + 40).where,
            "at byte 40 of `x` (512 bytes)");
  EXPECT_EQ(fault_at(FaultKind::uninitialised_read, AccessKind::load, Space::global, kX + 40).buffer, "x");
  EXPECT_EQ(fault_at(FaultKind::uninitialised_read, AccessKind::load, Space::shared, 8).buffer, "");
  EXPECT_EQ(fault_at(FaultKind::misaligned, AccessKind::load, Space::global, kX + 4, 16).where,
            "at byte 4 of `x` (512 bytes), not a multiple of 16");
}

TEST_F(FaultText, NamesKernelBlockThreadAndLine) {
  RawFault raw;
  raw.address = kOut + 512;
  raw.instruction = 1;
  raw.function = &function;
  raw.block = 4 * 3 + 4 * 2 + 1;
  raw.thread = 16 * 8 + 16 * 5 + 7;
  raw.count = 9;
  const Fault fault = describe(raw, context);
  EXPECT_EQ(fault.kernel, "copy");
  EXPECT_EQ(fault.block, (std::array<std::uint32_t, 3>{1, 2, 1}));
  EXPECT_EQ(fault.thread, (std::array<std::uint32_t, 3>{7, 5, 1}));
  EXPECT_EQ(fault.file, "p.cu");
  EXPECT_EQ(fault.line, 17);
  EXPECT_EQ(fault.count, 9u);

  raw.instruction = 0;  // an instruction without a line
  EXPECT_EQ(describe(raw, context).line, 0);
  EXPECT_EQ(describe(raw, context).file, "");
  raw.instruction = 99;
  EXPECT_EQ(describe(raw, context).line, 0);
}

TEST_F(FaultText, KindsWithoutMemoryCarryTheNote) {
  struct Row {
    FaultKind kind;
    const char* key;
    const char* what;
  };
  const Row rows[] = {
      {FaultKind::barrier_divergence, "barrier-divergence",
       "not all threads of the block reach the same barrier: why"},
      {FaultKind::bad_mask, "bad-mask", "the mask of a warp operation is wrong: why"},
      {FaultKind::missing_lanes, "missing-lanes",
       "not all lanes that the mask names reach this warp operation: why"},
      {FaultKind::endless_loop, "endless-loop", "the kernel has not ended: why"},
      {FaultKind::too_much_output, "output-limit", "a block prints more than the grader reads: why"},
      {FaultKind::not_a_number, "not-a-number", "why"},
      {FaultKind::trap, "trap", "the kernel stopped itself: why"},
      {FaultKind::bad_launch, "bad-launch", "the launch was refused: why"},
      {FaultKind::invalid_call, "invalid-call", "a call through a pointer to no function: why"},
  };
  for (const Row& row : rows) {
    RawFault raw;
    raw.kind = row.kind;
    raw.note = "why";
    const Fault fault = describe(raw, context);
    EXPECT_EQ(fault.kind, row.key);
    EXPECT_EQ(fault.what, row.what);
    EXPECT_EQ(fault.where, "");
    EXPECT_FALSE(fault.hint.empty());
    EXPECT_EQ(fault.hint.find("__activemask"), std::string::npos) << "says who is here, not who must be";
  }
}

TEST_F(FaultText, AnAddressBehindAHostPointerIsOfTheHost) {
  constexpr std::uint64_t kHost = 0x7fff'1234'5670;
  struct Row {
    const char* what;
    std::uint64_t parameter, address;
    const char* kind;
    const char* where;
  };
  const Row rows[] = {
      {"the array itself", kHost, kHost, "host-address",
       "parameter 2 of the kernel points to no memory of the device"},
      {"an element", kHost, kHost + 400, "host-address",
       "parameter 2 of the kernel points to no memory of the device"},
      {"another pointer", kHost, kHost + (1ull << 30), "out-of-bounds", "in no memory of the device"},
      {"before it", kHost, kHost - 4, "out-of-bounds", "in no memory of the device"},
      {"a device pointer", kX, kHost, "out-of-bounds", "in no memory of the device"},
      {"no address at all", ~0ull - 8, ~0ull - 4, "out-of-bounds", "in no memory of the device"},
      {"of the device", kHost, kOut + 512, "out-of-bounds", "just past the end of `out` (512 bytes)"},
  };
  function.parameters.resize(2);
  function.parameters[0].bytes = function.parameters[1].bytes = 8;
  function.parameters[1].offset = 8;
  context.device = {kX, 1ull << 36};
  for (const Row& row : rows) {
    const std::uint64_t arguments[] = {kX, row.parameter};
    context.arguments = std::as_bytes(std::span(arguments));
    const Fault fault = fault_at(FaultKind::out_of_bounds, AccessKind::load, Space::global, row.address);
    EXPECT_EQ(fault.kind, row.kind) << row.what;
    EXPECT_EQ(fault.where, row.where) << row.what;
  }
}

TEST_F(FaultText, AnAllocationThatIsTooSmallIsCalledThat) {
  struct Row {
    bool allocated;
    std::uint64_t reach;
    std::uint8_t bytes;
    const char* where;
  };
  const Row rows[] = {
      {true, 4 * 128, 4,
       "`tmp` was allocated with 128 bytes, and 128 elements of 4 bytes need 512: was the size counted in elements?"},
      {true, 4 * 128, 16,
       "`tmp` was allocated with 128 bytes, and 128 elements of 4 bytes need 512: was the size counted in elements?"},
      {true, 2 * 128, 2,
       "`tmp` was allocated with 128 bytes, and 128 elements of 2 bytes need 256: was the size counted in elements?"},
      {true, 300, 4,
       "just past the end of `tmp` (128 bytes); it was allocated with 128 bytes, and this launch reaches byte 300"},
      {false, 4 * 128, 4, "just past the end of `tmp` (128 bytes)"},
  };
  for (const Row& row : rows) {
    const std::vector<NamedRange> ranges = {{"tmp", kX, 128, row.allocated}};
    context.buffers = ranges;
    RawFault raw;
    raw.address = kX + 128;
    raw.bytes = row.bytes;
    raw.reach = kX + row.reach;
    EXPECT_EQ(describe(raw, context).where, row.where);
  }
}

TEST_F(FaultText, ALoadNamesTheLineThatFirstUsesItsValue) {
  const auto add = [&](const char* opcode, std::vector<const char*> operands, int line) {
    ptx::Instruction instruction;
    instruction.opcode = ptx::find_opcode(opcode);
    for (const char* name : operands) instruction.operands.emplace_back().name = name;
    instruction.location = {1, line};
    function.instructions.push_back(instruction);
  };
  add("ld", {"%f1", "%rd1"}, 12);
  add("add", {"%f9", "%f8", "%f7"}, 13);
  add("mul", {"%f3", "%f2", "%f1"}, 16);
  add("mul", {"%f4", "%f1", "%f1"}, 18);
  RawFault raw;
  raw.function = &function;
  raw.instruction = 2;
  EXPECT_EQ(describe(raw, context).line, 12);
  EXPECT_EQ(describe(raw, context).use_line, 16);
  raw.access = AccessKind::store;
  EXPECT_EQ(describe(raw, context).use_line, 0);
  raw.access = AccessKind::load;
  raw.instruction = 5;
  EXPECT_EQ(describe(raw, context).use_line, 0) << "nothing uses it";
}

TEST_F(FaultText, ARaceAsksForWhatOrdersItsThreads) {
  using enum AccessKind;
  struct Row {
    Space space;
    AccessKind mine, theirs;
    std::uint32_t other_thread;
    std::uint64_t other_block;
    const char* between;
    const char* asks;
  };
  const Row rows[] = {
      {Space::shared, load, store, 5, 0, "lanes", "put __syncwarp() between"},
      {Space::shared, load, store, 32, 0, "warps", "Put __syncthreads() between"},
      {Space::shared, store, store, 40, 0, "warps", "let one thread write it"},
      {Space::global, load, store, 5, 0, "lanes", "order the two lines with __syncwarp()"},
      {Space::global, load, store, 40, 0, "warps", "order the two lines with __syncthreads()"},
      {Space::global, store, store, 40, 0, "warps", "let one thread write it"},
      {Space::shared, atomic, store, 40, 0, "warps", "Make every access that can meet atomic"},
      {Space::global, load, store, 0, 1, "blocks", "Blocks run in no order"},
  };
  for (const Row& row : rows) {
    RawFault raw;
    raw.kind = FaultKind::race;
    raw.space = row.space;
    raw.access = row.mine;
    raw.address = row.space == Space::shared ? 8 : kX;
    raw.instruction = 1;
    raw.function = &function;
    raw.other = {row.theirs, 1, &function, row.other_block, row.other_thread};
    const Fault fault = describe(raw, context);
    EXPECT_EQ(fault.between, row.between);
    EXPECT_EQ(fault.between_stores, row.mine == store && row.theirs == store);
    EXPECT_EQ(fault.other_line, 17) << "where the other end of the race is";
    EXPECT_NE(fault.hint.find(row.asks), std::string::npos) << fault.hint;
    raw.kind = FaultKind::race_same_value;
    EXPECT_EQ(describe(raw, context).hint.find("end well"), std::string::npos) << "nobody has looked";
  }
}

TEST_F(FaultText, OfThreadsThatDifferInYAloneItIsSaidWhatTheIndexLacks) {
  RawFault raw;
  raw.kind = FaultKind::race;
  raw.space = Space::global;
  raw.access = AccessKind::store;
  raw.address = kX;
  raw.thread = 3;
  raw.function = &function;
  for (const std::uint32_t thread : {19u, 20u}) {
    raw.other = {AccessKind::store, 0, &function, 0, thread};
    const std::string hint = describe(raw, context).hint;
    EXPECT_EQ(hint.find("Both threads have threadIdx.x = 3 and differ in threadIdx.y alone") == 0,
              thread == 19)
        << hint;
    // In another turn of a loop the index may have it, and a barrier may be missing.
    EXPECT_NE(hint.find("order the turns with __syncwarp()"), std::string::npos) << hint;
  }
  raw.kind = FaultKind::race_same_value;
  raw.other.thread = 19;
  EXPECT_NE(describe(raw, context).hint.find("launch blocks with one thread in y"), std::string::npos);
  raw.other.instruction = 1;  // another line: one may wait for the other
  EXPECT_EQ(describe(raw, context).hint.find("threadIdx.y"), std::string::npos);
}

TEST_F(FaultText, WhatEveryThreadAddsToIsNoMatterOfABarrier) {
  function.instructions.clear();
  const auto operand = [](ptx::Operand::Kind kind, const char* name) {
    ptx::Operand made;
    made.kind = kind, made.name = name;
    return made;
  };
  const auto place = [&](const char* base, std::int64_t offset) {
    ptx::Operand made;
    made.kind = ptx::Operand::Kind::address, made.integer = offset;
    made.elements = {operand(ptx::Operand::Kind::reg, base)};
    return made;
  };
  const auto add = [&](const char* opcode, std::vector<ptx::Operand> operands) {
    ptx::Instruction instruction;
    instruction.opcode = ptx::find_opcode(opcode), instruction.operands = std::move(operands);
    function.instructions.push_back(std::move(instruction));
  };
  const auto reg = [&](const char* name) { return operand(ptx::Operand::Kind::reg, name); };
  add("ld", {reg("%f1"), place("%r1", 0)});
  add("add", {reg("%f2"), reg("%f1"), reg("%f9")});
  add("st", {place("%r1", 0), reg("%f2")});
  add("st", {place("%r1", 4), reg("%f2")});
  add("st", {place("%r1", 0), reg("%f9")});
  add("mov", {reg("%f3"), reg("%f1")});
  add("st", {place("%r1", 0), reg("%f3")});
  RawFault raw;
  raw.kind = FaultKind::race;
  raw.space = Space::shared;
  raw.function = &function;
  const auto hint = [&](std::uint32_t store, bool store_first) {
    raw.access = store_first ? AccessKind::load : AccessKind::store;
    raw.instruction = store_first ? 0 : store;
    raw.other = {store_first ? AccessKind::store : AccessKind::load, store_first ? store : 0, &function, 0,
                 32};
    return describe(raw, context).hint;
  };
  for (const bool store_first : {false, true}) {
    EXPECT_THAT(hint(2, store_first), testing::HasSubstr("Combine with atomics (atomicAdd)"));
    EXPECT_THAT(hint(3, store_first), testing::HasSubstr("Put __syncthreads()")) << "another element";
    EXPECT_THAT(hint(4, store_first), testing::HasSubstr("Put __syncthreads()")) << "another value";
    EXPECT_THAT(hint(6, store_first), testing::HasSubstr("Put __syncthreads()")) << "as it was loaded";
  }
}

TEST_F(FaultText, AReadThatTheCompilerMovedIsShownWhereItIsUsed) {
  function.instructions.resize(3);
  ptx::Operand value;
  value.kind = ptx::Operand::Kind::reg, value.name = "%f1";
  function.instructions[1].location = {1, 0};
  function.instructions[1].operands = {value};
  function.instructions[2].location = {1, 23};
  function.instructions[2].operands = {value};
  const Fault fault = fault_at(FaultKind::out_of_bounds, AccessKind::load, Space::global, kOut + 512);
  EXPECT_EQ(fault.file, "p.cu");
  EXPECT_EQ(fault.line, 23);
}

TEST_F(FaultText, AnElementThatTheCompilerKeepsApartHasItsArraysName) {
  const std::vector<NamedRange> split = {{"_ZZ9transposePKfE4tile_$_1", 0, 4}};
  context.shared = split;
  EXPECT_EQ(fault_at(FaultKind::uninitialised_read, AccessKind::load, Space::shared, 0).where,
            "at byte 0 of `tile` (4 bytes)");
}

}  // namespace
}  // namespace fusebox::sim
