#include "grader/simulator/exec/state/reduction.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

/// Of the first instruction of a body.
Reduction reduction_in(const std::string& body) {
  const auto module = ptx::parse(fmt::format(
      ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<2>;\n"
      ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<4>;\n{}ret;\n}}\n",
      body));
  EXPECT_TRUE(module) << module.error().what;
  return module ? blind_reductions(module->functions.at(0)).at(0) : Reduction::none;
}

TEST(Reductions, AreIntegerAtomicsWhoseOrderDoesNotTell) {
  const struct {
    const char* body;
    Reduction expected;
  } kRows[] = {
      {"red.global.add.u32 [%rd1], %r1;", Reduction::add_32},
      {"red.add.s32 [%rd1], %r1;", Reduction::add_32},
      {"red.relaxed.gpu.global.add.u64 [%rd1], %rd2;", Reduction::add_64},
      {"red.relaxed.sys.global.max.s64 [%rd1], %rd2;", Reduction::max_s64},
      {"red.global.min.u32 [%rd1], %r1;", Reduction::min_u32},
      {"red.global.and.b32 [%rd1], %r1;", Reduction::bit_and},
      {"red.global.xor.b64 [%rd1], %rd2;", Reduction::bit_xor},
      {"red.global.inc.u32 [%rd1], %r1;", Reduction::none},
      {"red.global.add.f32 [%rd1], %f1;", Reduction::none},
      {"red.release.gpu.global.add.u32 [%rd1], %r1;", Reduction::none},
      {"red.relaxed.cta.global.add.u32 [%rd1], %r1;", Reduction::none},
      {"atom.global.exch.b32 %r2, [%rd1], %r1;", Reduction::none},
      {"st.global.u32 [%rd1], %r1;", Reduction::none},
  };
  for (const auto& row : kRows) EXPECT_EQ(reduction_in(row.body), row.expected) << row.body;
}

TEST(Reductions, AreBlindWhereNothingReadsTheResult) {
  const std::string add = "atom.global.add.u32 %r2, [%rd1], %r1;";
  EXPECT_EQ(reduction_in(add), Reduction::add_32);
  EXPECT_EQ(reduction_in("atom.global.add.u32 _, [%rd1], %r1; atom.global.add.u32 _, [%rd1], %r1;"),
            Reduction::add_32);
  for (const char* reads : {"mov.u32 %r3, %r2;", "st.global.v2.u32 [%rd2], {%r2, %r1};",
                            "@%p1 add.u32 %r3, %r1, %r2;", "atom.global.add.u32 %r3, [%rd1], %r2;"})
    EXPECT_EQ(reduction_in(add + reads), Reduction::none) << reads;
  EXPECT_EQ(reduction_in("atom.global.add.u64 %rd3, [%rd1], %rd2; ld.global.u32 %r1, [%rd3+4];"),
            Reduction::none);
  EXPECT_EQ(reduction_in("atom.global.add.u32 %r2, [%rd1], %r2;"), Reduction::none);
}

}  // namespace
}  // namespace fusebox::sim
