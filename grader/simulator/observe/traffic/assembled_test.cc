#include "grader/simulator/observe/traffic/assembled.h"

#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

ptx::Module kernel_of(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b32 s[4];\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << module.error().what;
  return module ? *module : ptx::Module{};
}

TEST(Assembled, ADivisorThatWasDividedByBeforeHasItsReciprocal) {
  const ptx::Module module = kernel_of(
      "rem.u32 %r0, %r1, %r2; div.u32 %r3, %r4, %r2; div.s32 %r3, %r4, %r2; rem.s32 %r3, %r4, 7; div.s32 %r4, %r3, 7; "
      "mov.u32 %r2, %r1; div.u32 %r0, %r1, %r2; div.u64 %rd0, %rd1, %rd2; div.u64 %rd0, %rd1, %rd2;");
  ASSERT_FALSE(module.functions.empty());
  const std::vector<bool> again = assembled(module.functions[0]).divides_again;
  EXPECT_EQ(std::vector<bool>(again.begin(), again.begin() + 9),
            (std::vector<bool>{false, true, false, false, true, false, false, false, false}));
}

// An H200 counted each as it is said here.
TEST(Assembled, AnAtomicOfWhichNobodyUsesTheOldValueIsAReduction) {
  struct Row {
    const char* instructions;
    bool reduces;
  };
  for (const Row& row : {Row{"atom.global.add.u32 %r0, [%rd0], 1;", true},
                         {"red.global.add.s32 [%rd0], 1;", true},
                         {"atom.global.max.s32 %r0, [%rd0], %r1;", true},
                         {"atom.global.add.f32 %r0, [%rd0], %r1;", true},
                         {"atom.global.add.u32 _, [%rd0], 1;", true},
                         {"atom.global.add.u32 %r0, [%rd0], 1; st.global.u32 [%rd1], %r0;", false},
                         {"atom.global.add.u32 %r0, [%rd0], %r1; mov.u32 %r2, %r0;", false},
                         {"atom.global.exch.b32 %r0, [%rd0], 1;", false},
                         {"atom.global.cas.b32 %r0, [%rd0], 0, 1;", false},
                         {"atom.add.u32 %r0, [%rd0], 1;", false}}) {
    const ptx::Module module = kernel_of(row.instructions);
    ASSERT_FALSE(module.functions.empty());
    EXPECT_EQ(assembled(module.functions[0]).reduces.at(0), row.reduces) << row.instructions;
  }
}

TEST(Assembled, WhatAPredicateGuardsIsIssuedWithItsBranch) {
  const ptx::Module module = kernel_of(R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra behind;
    st.shared.u32 [s], %r0;
    behind:
    ld.shared.u32 %r1, [s];
    @%p0 bra end;
    st.shared.u32 [s], %r1;
    end:
)");
  ASSERT_FALSE(module.functions.empty());
  const auto issued_with = assembled(module.functions[0]).issued_with;
  // Behind the last guard is nothing: that one is an exit.
  EXPECT_EQ(issued_with, (std::vector<std::uint32_t>{0, 1, 1, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace fusebox::sim
