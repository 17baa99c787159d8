#include "grader/simulator/observe/traffic/joined_loads.h"

#include <gtest/gtest.h>

#include "grader/simulator/ptx/body_parser.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

/// Bytes of each load's own instruction, in order; 0: another one brings it.
std::vector<int> widths_of(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 tile[4096];\n"
      ".extern .shared .align 16 .b8 dynamic[];\n.extern .shared .align 4 .b8 loose[];\n"
      ".visible .entry k(.param .u32 i)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"
      ".reg .f64 %d<5>;\n.reg .b16 %h<5>;\n.shared .align 4 .b8 own[64];\n"
      "ld.param.u32 %r1, [i];\nmov.u32 %r2, tile;\nshl.b32 %r3, %r1, 4;\nadd.s32 %r4, %r2, %r3;\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << module.error().what;
  std::vector<int> widths;
  if (!module) return widths;
  const ptx::Function& function = module->functions.at(0);
  const auto joined = joined_loads(function, module->shared);
  for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
    const ptx::Instruction& i = function.instructions[k];
    if (i.opcode != ptx::Opcode::ld || i.has("param")) continue;
    const auto at = joined.find(k);
    widths.push_back(at != joined.end() ? at->second.bytes
                                        : static_cast<int>(ptx::type_bytes(i.modifiers.back())));
  }
  return widths;
}

using Widths = std::vector<int>;

/// What each of these becomes was read out of cubins: ptxas 13.0, sm_90.
TEST(JoinedLoads, OfMoreThanHalfOfSixteenAlignedBytes) {
  const std::string a = "ld.shared.f32 %f1, [%r4];\n", b = "ld.shared.f32 %f2, [%r4+4];\n",
                    c = "ld.shared.f32 %f3, [%r4+8];\n", d = "ld.shared.f32 %f4, [%r4+12];\n",
                    e = "ld.shared.f32 %f5, [%r4+16];\n";
  EXPECT_EQ(widths_of(a + b + c + d), (Widths{16, 0, 0, 0}));
  EXPECT_EQ(widths_of(d + c + b + a), (Widths{0, 0, 0, 16}));
  EXPECT_EQ(widths_of(a + b + c), (Widths{16, 0, 0}));
  EXPECT_EQ(widths_of(a + b + d), (Widths{16, 0, 0}));
  EXPECT_EQ(widths_of(b + c + d + e), (Widths{16, 0, 0, 4}));
  EXPECT_EQ(widths_of(a + b), (Widths{8, 0}));
  EXPECT_EQ(widths_of(b + c), (Widths{4, 4}));
}

TEST(JoinedLoads, TheOneThatStandsForThemKnowsWhereItBegins) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 tile[64];\n"
      ".visible .entry k()\n{\n.reg .f32 %f<9>;\nld.shared.f32 %f1, [tile+4];\nld.shared.f32 %f2, [tile+8];\n"
      "ld.shared.f32 %f3, [tile+12];\nret;\n}\n");
  ASSERT_TRUE(module) << module.error().what;
  EXPECT_EQ(joined_loads(module->functions.at(0), module->shared),
            (std::map<std::uint32_t, JoinedLoad>{{0, {16, 4}}, {1, {}}, {2, {}}}));
}

TEST(JoinedLoads, OfDoublesAndHalvesButNotOfBytesNorWhereGuardedOrVolatile) {
  EXPECT_EQ(widths_of("ld.shared.f64 %d1, [%r4];\nld.shared.f64 %d2, [%r4+8];\n"), (Widths{16, 0}));
  EXPECT_EQ(widths_of("ld.shared.u16 %h1, [%r4];\nld.shared.u16 %h2, [%r4+2];\n"
                      "ld.shared.u16 %h3, [%r4+4];\nld.shared.u16 %h4, [%r4+6];\n"),
            (Widths{8, 0, 0, 0}));
  EXPECT_EQ(widths_of("ld.shared.u8 %h1, [%r4];\nld.shared.u8 %h2, [%r4+1];\n"), (Widths{1, 1}));
  EXPECT_EQ(widths_of("ld.volatile.shared.f32 %f1, [%r4];\nld.volatile.shared.f32 %f2, [%r4+4];\n"),
            (Widths{4, 4}));
  EXPECT_EQ(widths_of("@%p1 ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4+4];\n"), (Widths{4, 4}));
}

TEST(JoinedLoads, OnlyWhereTheAlignmentCanBeProven) {
  const auto two = [](const std::string& base) {
    return "ld.shared.f32 %f1, [" + base + "];\nld.shared.f32 %f2, [" + base + "+4];\n";
  };
  EXPECT_EQ(widths_of(two("own")), (Widths{8, 0}));
  EXPECT_EQ(widths_of(two("dynamic")), (Widths{8, 0}));
  EXPECT_EQ(widths_of(two("loose")), (Widths{4, 4}));
  EXPECT_EQ(widths_of("shl.b32 %r5, %r1, 2;\nadd.s32 %r5, %r5, %r2;\n" + two("%r5")), (Widths{4, 4}));
  EXPECT_EQ(widths_of("mad.lo.s32 %r5, %r1, 132, %r2;\n" + two("%r5")), (Widths{4, 4}));
  EXPECT_EQ(widths_of("mad.lo.s32 %r5, %r1, 136, %r2;\n" + two("%r5")), (Widths{8, 0}));
  // Once around a loop, and no more than what both ways bring.
  EXPECT_EQ(widths_of("mov.u32 %r5, tile;\nL:\n" + two("%r5") + "add.s32 %r5, %r5, 16;\n@%p1 bra L;\n"),
            (Widths{8, 0}));
  EXPECT_EQ(widths_of("mov.u32 %r5, tile;\nL:\n" + two("%r5") + "add.s32 %r5, %r5, 4;\n@%p1 bra L;\n"),
            (Widths{4, 4}));
}

TEST(JoinedLoads, NothingIsMovedAcrossAStoreABarrierALabelOrAnotherAddress) {
  const std::string a = "ld.shared.f32 %f1, [%r4];\n", b = "ld.shared.f32 %f2, [%r4+4];\n";
  for (const char* between : {"st.shared.f32 [%r2], %f3;\n", "bar.sync 0;\n", "L:\n", "membar.cta;\n",
                              "add.s32 %r4, %r4, 16;\n", "st.f32 [%r2], %f3;\n"})
    EXPECT_EQ(widths_of(a + between + b), (Widths{4, 4})) << between;
  EXPECT_EQ(widths_of(a + "fma.rn.f32 %f4, %f1, %f1, %f1;\n" + b), (Widths{8, 0}));
}

}  // namespace
}  // namespace fusebox::sim
