#include "grader/simulator/exec/decode/unset_registers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grader/simulator/exec/execution/test_device.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

std::vector<std::uint32_t> found_in(const std::string& body) {
  const auto module =
      ptx::parse(kPtxHeader +
                 ".visible .entry k(.param .u64 p) { .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; "
                 ".reg .pred %p<3>; ld.param.u64 %rd1, [p]; " +
                 body + " ret; }");
  EXPECT_TRUE(module) << module.error().what;
  return module ? reads_of_unset_registers(module->functions[0]) : std::vector<std::uint32_t>();
}

TEST(UnsetRegisters, WhatEveryWriteNeedsFirstIsNeverSet) {
  using Found = std::vector<std::uint32_t>;
  struct Row {
    const char* what;
    const char* body;
    Found found;
  } rows[] = {
      {"a sum that begins with itself",
       "ld.global.f32 %f2, [%rd1]; add.f32 %f1, %f1, %f2; st.global.f32 [%rd1], %f1;",
       {2}},
      {"the same over several instructions",
       "ld.global.f32 %f2, [%rd1]; add.f32 %f3, %f1, %f2; add.f32 %f1, %f3, %f2; st.global.f32 [%rd1], %f1;",
       {2, 3}},
      {"a sum that is set on one path",
       "setp.eq.u64 %p1, %rd1, 0; @%p1 mov.f32 %f1, 0f00000000; add.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;",
       {}},
      {"a value that one lane loads and all shuffle",
       "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 ld.global.u32 %r2, [%rd1]; "
       "shfl.sync.idx.b32 %r3, %r2, 0, 31, -1; add.s32 %r4, %r3, 1; st.global.u32 [%rd1], %r4;",
       {}},
      {"vectors, pairs and special registers",
       "ld.global.v2.f32 {%f1, %f2}, [%rd1]; mov.b64 {%r1, %r2}, %rd1; mov.u32 %r3, %ntid.x; add.u32 %r4, %r3, %laneid; "
       "fma.rn.f32 %f3, %f1, %f2, 0f3F800000; add.s64 %rd2, %rd1, 4; st.global.f32 [%rd2], %f3;",
       {}},
  };
  for (const Row& row : rows) EXPECT_EQ(found_in(row.body), row.found) << row.what;
}

/// What the first block leaves in a register is not what the second one finds in it.
TEST(UnsetRegisters, AreNoOtherBlocks) {
  for (const char* set_by_first :
       {"@%p1 bra READ; mov.f32 %f1, 0f40E00000; READ:", "@!%p1 mov.f32 %f1, 0f40E00000;"}) {
    TestDevice device(
        kPtxHeader +
        ".visible .entry k(.param .u64 p) { .reg .f32 %f<2>; .reg .b32 %r<2>; .reg .b64 %rd<4>; "
        ".reg .pred %p<2>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; "
        "add.s64 %rd3, %rd1, %rd2; setp.ne.u32 %p1, %r1, 0; " +
        std::string(set_by_first) + " st.global.f32 [%rd3], %f1; ret; }");
    const DeviceAddress out = device.buffer(std::vector<float>(2, -1.0f));
    device.launch("k", {2, 1, 1}, {1, 1, 1}, {out});
    const auto stored = device.read<float>(out, 2);
    EXPECT_EQ(stored[0], 7.0f) << set_by_first;
    EXPECT_TRUE(std::isnan(stored[1])) << set_by_first;
  }
}

}  // namespace
}  // namespace fusebox::sim
