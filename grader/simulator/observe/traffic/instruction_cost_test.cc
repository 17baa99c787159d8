#include "grader/simulator/observe/traffic/instruction_cost.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "grader/simulator/observe/traffic/tensor_cost.h"

namespace fusebox::sim {
namespace {

ptx::Instruction named(const std::string& name) {
  ptx::Instruction instruction;
  std::istringstream words(name);
  std::string word;
  std::getline(words, word, '.');
  instruction.opcode = ptx::find_opcode(word);
  while (std::getline(words, word, '.')) instruction.modifiers.push_back(word);
  return instruction;
}

TEST(IssueSlots, FollowTheTable) {
  const struct {
    const char* name;
    double slots;
  } rows[] = {
      {"mov.u32", 0},         {"ld.param.u64", 0},  {"cvta.to.global.u64", 0}, {"ld.global.f32", 1},
      {"fma.rn.f32", 1},      {"add.f32", 1},       {"add.s32", 0.75},         {"add.s64", 2},
      {"mul.lo.s64", 4},      {"mul.wide.s32", 1},  {"mad.lo.s32", 1},         {"and.b64", 2},
      {"and.pred", 0.5},      {"setp.lt.u64", 2},   {"setp.lt.s32", 1},        {"bra.uni", 0.5},
      {"div.rn.f32", 10},     {"div.full.f32", 5},  {"div.approx.ftz.f32", 1}, {"div.s32", 24},
      {"rem.u64", 70},        {"sqrt.rn.f32", 10},  {"ex2.approx.ftz.f32", 1}, {"ex2.approx.f32", 2.5},
      {"tanh.approx.f32", 1}, {"st.shared.f32", 1}, {"bar.sync", 1},           {"sqrt.rn.f64", 24},
  };
  for (const auto& row : rows) EXPECT_EQ(issue_slots(named(row.name)), row.slots) << row.name;
}

TEST(IssueSlots, AQuotientByWhatWasDividedByBeforeTakesFewer) {
  EXPECT_EQ(issue_slots(named("rem.u32"), true), 8);
  EXPECT_EQ(unit_cycles(named("rem.u32"), true), (UnitCycles{.waits = 19}));
}

TEST(UnitCycles, AreThoseThatAnH100Takes) {
  const struct {
    const char* name;
    UnitCycles cycles;
  } rows[] = {
      {"add.rn.f64", {.fp64 = 0.5, .waits = 3.4}},
      {"fma.rn.f64", {.fp64 = 0.5, .waits = 3.4}},
      {"setp.lt.f64", {.fp64 = 0.5, .waits = 3.4}},
      {"max.f64", {.fp64 = 2.1, .waits = 20}},
      {"div.rn.f64", {.fp64 = 6.4}},
      {"sqrt.rn.f64", {.fp64 = 6.8}},
      {"fma.rn.f32", {}},
      {"mul.f32", {}},
      {"mul.rn.bf16x2", {}},
      {"add.s32", {}},
      {"mad.lo.s32", {.products = 0.5}},
      {"mul.wide.u32", {.products = 0.5}},
      {"mul.hi.u32", {.products = 1.0, .waits = 4.4}},
      {"mul.lo.s64", {.products = 2.0}},
      {"mul.hi.u64", {.products = 4.1, .waits = 14}},
      {"rem.u64", {.products = 28.5}},
      {"div.rn.f32", {.special = 4.3, .waits = 9.4}},
      {"div.full.f32", {}},
      {"rem.s64", {.products = 34.5}},
      {"div.s32", {.special = 6.6, .waits = 22}},
      {"cvt.rn.f32.f64", {.special = 2.1, .waits = 13}},
      {"cvt.rzi.s32.f64", {.special = 2.1, .waits = 13}},
      {"cvt.rn.f32.s32", {.special = 1.0, .waits = 6.7}},
      {"cvt.rn.f32.u64", {.special = 2.1, .waits = 13}},
      {"cvt.rn.bf16x2.f32", {}},
      {"cvt.f32.f16", {}},
      {"cvt.u64.u32", {}},
      {"popc.b32", {.special = 2.0, .waits = 13}},
  };
  for (const auto& row : rows) EXPECT_EQ(unit_cycles(named(row.name)), row.cycles) << row.name;
}

TEST(UnitCycles, OfLogicAreTheGuides) {
  EXPECT_EQ(unit_cycles(named("xor.b32")).bits, 0.5 * issue_slots(named("xor.b32")) / 2);
  EXPECT_EQ(unit_cycles(named("and.pred")).bits, 0);
  for (const char* name : {"lop3.b32", "setp.lt.s32", "prmt.b32", "max.f32"})
    EXPECT_EQ(unit_cycles(named(name)).bits, 0.5) << name;
}

// Whatever the layout, and however oddly a tile begins: there are no bank conflicts.
TEST(TensorCost, HasTheWavefrontsThatAnH200Counts) {
  std::ifstream in(FUSEBOX_SOURCE_DIR "/assets/recorded/parity/wgmma_wavefronts_h200.csv");
  std::string line;
  std::getline(in, line);
  int rows = 0;
  for (; std::getline(in, line); ++rows) {
    ptx::Instruction instruction =
        named("wgmma.mma_async." + line.substr(0, line.find(' ')) + "k16.f32.f16.f16");
    instruction.operands.resize(4);
    if (line.find(" registers") != line.npos) instruction.operands[1].kind = ptx::Operand::Kind::vector;
    EXPECT_EQ(tensor_cost(instruction).shared_cycles, std::stoul(line.substr(line.rfind(',') + 1))) << line;
  }
  EXPECT_EQ(rows, 24);
}

TEST(TensorCost, IsAnH200s) {
  const struct {
    const char* name;
    bool a_in_registers;
    double tensor;
    std::uint64_t shared;
  } rows[] = {
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", false, 18, 18},
      {"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", false, 32, 32},
      {"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", true, 32, 16},
      {"wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32", false, 64, 48},
      {"wgmma.mma_async.sync.aligned.m64n256k256.s32.b1.b1.and.popc", false, 128, 80},
      {"wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", true, 128, 64},
      {"wgmma.fence.sync.aligned", false, 0, 0},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", true, 1.5, 0},
      {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", true, 1, 0},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", true, 1.5, 0},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", true, 1, 0},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", true, 1.5, 0},
      {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", true, 1, 0},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", true, 4, 0},
      {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", true, 16, 0},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", true, 3, 0},
      {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", true, 4, 0},
      {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16", true, 0, 0},
  };
  for (const auto& row : rows) {
    ptx::Instruction instruction = named(row.name);
    instruction.operands.resize(4);
    if (row.a_in_registers) instruction.operands[1].kind = ptx::Operand::Kind::vector;
    EXPECT_EQ(tensor_cost(instruction).tensor_cycles, row.tensor) << row.name;
    EXPECT_EQ(tensor_cost(instruction).shared_cycles, row.shared) << row.name;
  }
}

}  // namespace
}  // namespace fusebox::sim
