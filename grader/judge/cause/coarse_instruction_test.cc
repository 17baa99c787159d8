#include "grader/judge/cause/coarse_instruction.h"

#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox {
namespace {

ptx::Module module_of(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<4>;\n.reg .b16 "
      "%rs<4>;\n" +
      body + "ret;\n}\n.file 1 \"/home/me/p16_layernorm_gelu.cu\"\n.file 2 \"/usr/include/math.h\"\n");
  EXPECT_TRUE(module) << module.error().what;
  return module ? *module : ptx::Module{};
}

constexpr char kOwn[] =
    ".loc 1 12 0\nmov.f32 %f1, 0f3F800000;\n.loc 2 17 3\nex2.approx.ftz.f32 %f1, %f2;\n"
    ".loc 1 36 5, function_name $L__info_string0, inlined_at 1 50 9\ntanh.approx.f32 %f3, %f1;\n";

TEST(CoarseInstruction, IsToldWithItsLine) {
  const ptx::Module own = module_of(kOwn), reference = module_of("ex2.approx.ftz.f32 %f1, %f2;\n");
  const auto found = coarse_instruction(own, reference, "p16_layernorm_gelu.cu");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "tanh.approx.f32");
  EXPECT_EQ(found->line, 36);
  EXPECT_EQ(coarse_instruction(own, reference, "other.cu")->line, 0) << "a line of no file that is known";
}

TEST(CoarseInstruction, WhatTheReferenceHasOrEveryFloatFunctionIsNone) {
  const auto told = [](const std::string& own, const std::string& reference) {
    return coarse_instruction(module_of(own), module_of(reference), "p.cu").has_value();
  };
  EXPECT_FALSE(told(kOwn, "tanh.approx.f32 %f2, %f1;\n"));
  EXPECT_FALSE(told("rsqrt.approx.f32 %f1, %f2;\nex2.approx.ftz.f32 %f3, %f0;\n", ""));
  EXPECT_TRUE(told("ex2.approx.f16 %rs1, %rs2;\n", "ex2.approx.f32 %f1, %f2;\n"));
  EXPECT_FALSE(told("", ""));
}

}  // namespace
}  // namespace fusebox
