#include "grader/simulator/observe/requests/uniform_atomics.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

/// Of the last atomic of a kernel with this body: %rd1 is a parameter, %r1 a thread's number and %r2 a
/// block's.
bool is_uniform(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n"
      ".reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<3>;\nld.param.u64 %rd1, [p];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\ncvt.u64.u32 %rd6, %r1;\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << module.error().what;
  if (!module) return false;
  const ptx::Function& function = module->functions.at(0);
  const auto uniform = uniform_atomics(function);
  for (std::size_t k = uniform.size(); k-- > 0;)
    if (function.instructions[k].opcode == ptx::Opcode::atom ||
        function.instructions[k].opcode == ptx::Opcode::red)
      return uniform[k];
  ADD_FAILURE() << "no atomic";
  return false;
}

// Each as ptxas of CUDA 13 has it for sm_90a: with a vote or a REDUX in front of it, or without.
TEST(UniformAtomics, OneLaneAddsForAllWhereTheAddressIsProved) {
  EXPECT_TRUE(is_uniform("red.global.add.u32 [%rd1], 1;\n"));
  EXPECT_TRUE(is_uniform("red.global.add.u32 [%rd3+8], %r1;\n")) << "a block's own";
  EXPECT_TRUE(is_uniform("atom.global.add.u32 %r3, [%rd1], %r1;\n"));
  EXPECT_TRUE(is_uniform("atom.global.add.u32 %r3, [%rd1], 1;\nst.global.u32 [%rd5], %r3;\n"));
  EXPECT_TRUE(is_uniform("ld.global.u64 %rd7, [%rd1];\natom.add.u32 %r3, [%rd7], 1;\n")) << "out of a load";
  EXPECT_FALSE(is_uniform("red.global.add.u32 [%rd5], 1;\n"));
  EXPECT_FALSE(is_uniform("ld.global.u64 %rd7, [%rd5];\nred.global.add.u32 [%rd7], 1;\n"));
  EXPECT_FALSE(
      is_uniform("setp.gt.u32 %p1, %r1, 3;\nselp.b64 %rd7, %rd1, %rd3, %p1;\n"
                 "red.global.add.u32 [%rd7], 1;\n"));
  EXPECT_TRUE(
      is_uniform("shfl.sync.idx.b32 %r4, %r1, 0, 31, -1;\nmul.wide.u32 %rd7, %r4, 4;\n"
                 "add.s64 %rd8, %rd1, %rd7;\nred.global.add.u32 [%rd8], 1;\n"));
}

TEST(UniformAtomics, OnlyWhatALaneCanAddUpForOthers) {
  EXPECT_FALSE(is_uniform("red.global.add.f32 [%rd1], 0f3F800000;\n"));
  EXPECT_TRUE(is_uniform("red.global.add.u64 [%rd1], 1;\n"));
  EXPECT_FALSE(is_uniform("red.global.add.u64 [%rd1], %rd6;\n"));
  EXPECT_TRUE(is_uniform("atom.global.max.s32 %r3, [%rd1], %r1;\n"));
  EXPECT_TRUE(is_uniform("atom.global.or.b32 %r3, [%rd1], %r1;\n"));
  EXPECT_FALSE(is_uniform("atom.global.max.s32 %r3, [%rd1], %r1;\nst.global.u32 [%rd5], %r3;\n"));
  EXPECT_FALSE(is_uniform("red.global.max.u64 [%rd1], 5;\n"));
  EXPECT_FALSE(is_uniform("atom.global.exch.b32 %r3, [%rd1], 1;\n"));
  EXPECT_FALSE(is_uniform("atom.global.cas.b32 %r3, [%rd1], 1, 2;\n"));
}

}  // namespace
}  // namespace fusebox::sim
