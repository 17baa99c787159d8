#include "grader/simulator/observe/traffic/flops.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fusebox::sim {
namespace {

ptx::Instruction parse_name(const std::string& name) {
  ptx::Instruction instruction;
  std::istringstream words(name);
  std::string opcode;
  std::getline(words, opcode, '.');
  instruction.opcode = ptx::find_opcode(opcode);
  for (std::string word; std::getline(words, word, '.');) instruction.modifiers.push_back(word);
  return instruction;
}

struct Counted {
  const char* name;
  std::uint32_t flops;
};

TEST(Flops, FollowTheTable) {
  const Counted rows[] = {
      {"add.f32", 1},
      {"add.rn.ftz.f32", 1},
      {"sub.f64", 1},
      {"mul.rn.f32", 1},
      {"fma.rn.f32", 2},
      {"mad.rn.f64", 2},
      {"div.rn.f32", 1},
      {"sqrt.rn.f32", 1},
      {"rsqrt.approx.f32", 1},
      {"ex2.approx.ftz.f32", 1},
      {"tanh.approx.f32", 1},
      {"max.f32", 1},
      {"fma.rn.f16x2", 4},
      {"add.bf16x2", 2},
      {"fma.rn.f32x2", 4},
      {"mul.bf16", 1},
      {"add.s32", 0},
      {"mad.lo.s32", 0},
      {"mad.wide.u32", 0},
      {"ld.global.f32", 0},
      {"mov.f32", 0},
      {"neg.f32", 0},
      {"abs.f32", 0},
      {"cvt.rn.f32.s32", 0},
      {"setp.lt.f32", 0},
      {"selp.f32", 0},
      {"red.global.add.f32", 0},
      {"max.s32", 0},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 128},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 64},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 0},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", 128},
      {"wgmma.mma_async.sync.aligned.m64n256k32.f16.e4m3.e5m2", 8192},
      {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", 0},
      {"wgmma.fence.sync.aligned", 0},
  };
  for (const Counted& row : rows) EXPECT_EQ(flops_per_lane(parse_name(row.name)), row.flops) << row.name;
}

}  // namespace
}  // namespace fusebox::sim
