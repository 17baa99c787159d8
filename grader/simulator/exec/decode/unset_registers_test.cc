#include "grader/simulator/exec/decode/unset_registers.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fusebox::sim
