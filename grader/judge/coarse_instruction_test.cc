#include "grader/judge/coarse_instruction.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

constexpr char kPtx[] =
    ".visible .entry k()\n{\n"
    "\t.loc\t2 17 3\n\tex2.approx.ftz.f32 \t%f1, %f2;\n"
    "\t.loc\t1 36 5, function_name $L__info_string0, inlined_at 1 50 9\n"
    "\t// begin inline asm\n\ttanh.approx.f32 %f3, %f1;\n\t// end inline asm\n}\n"
    "\t.file\t1 \"/home/me/p16_layernorm_gelu.cu\"\n\t.file\t2 \"/usr/include/math.h\"\n";

TEST(CoarseInstruction, IsToldWithItsLine) {
  const auto found = coarse_instruction(kPtx, "ex2.approx.ftz.f32", "p16_layernorm_gelu.cu");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "tanh.approx.f32");
  EXPECT_EQ(found->line, 36);
  EXPECT_EQ(coarse_instruction(kPtx, "", "other.cu")->line, 0) << "a line of no file that is known";
}

TEST(CoarseInstruction, WhatTheReferenceHasOrEveryFloatFunctionIsNone) {
  EXPECT_FALSE(coarse_instruction(kPtx, "tanh.approx.f32 %f9, %f8;", "p16_layernorm_gelu.cu"));
  EXPECT_FALSE(coarse_instruction(
      "\trsqrt.approx.f32 %f1, %f2;\n\tex2.approx.ftz.f32 %f3, %f4;\n\ttanh.rn.f32 %f1, %f2;\n", "", "p.cu"));
  EXPECT_TRUE(coarse_instruction("\tex2.approx.f16 %rs1, %rs2;\n", "ex2.approx.f32", "p.cu"));
  EXPECT_FALSE(coarse_instruction("", "", ""));
}

}  // namespace
}  // namespace fusebox
