#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(ExchangeEdits, ArgumentsOfACallMayStandInTheOtherOrder) {
  const Edits edits(
      kernel_of("float v = powf(heads, x[0]); o[0] = fmaf(v, x[1], x[2]); o[1] = fmaxf(v, rows);\n"
                "float4 w = make_float4(v, x[4], 1, 2); put(o, 3, v); return mix(v, x[5]);"));
  EXPECT_THAT(edits.with("`float v = powf(x[0], heads)` in place of `float v = powf(heads, x[0])`"),
              HasSubstr("float v = (powf(x[0], heads));"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("make_float4(x[4], v, 1, 2)` in place of")));
  EXPECT_THAT(edits.says(), Contains("`mix(x[5], v)` in place of `mix(v, x[5])`"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("fmaf(v, x[2], x[1])` in place of")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("fmaxf(rows, v)"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("fmaf(x[1], v"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("put(3, o"))));
}

TEST(ExchangeEdits, WhatIsShuffledMayStandWhereTheLaneDoes) {
  const Edits edits(kernel_of(
      "float v = x[0]; int d = rows; v += __shfl_down_sync(~0u, d, v); v += warp.shfl_xor(d, v); o[0] = v;"));
  EXPECT_THAT(edits.with("`v += __shfl_down_sync(~0u, v, d)` in place of `v += __shfl_down_sync(~0u, d, v)`"),
              HasSubstr("v += (__shfl_down_sync(~0u, v, d));"));
  EXPECT_THAT(edits.says(), Contains("`v += warp.shfl_xor(v, d)` in place of `v += warp.shfl_xor(d, v)`"));
  // The mask is no value.
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("__shfl_down_sync(d, ~0u"))));
}

TEST(ExchangeEdits, TwoParametersInAConditionMayBeExchanged) {
  const Edits edits(kernel_of(R"(  const int a = threadIdx.x, b = threadIdx.y;
  if (a < heads && b < rows) o[a * rows + b] = 0;)"));
  EXPECT_THAT(edits.with("`heads` and `rows` exchanged"),
              HasSubstr("if (a < (rows) && b < (heads)) o[a * rows"));
}

TEST(ExchangeEdits, TwoVariablesOfAStatementMayBeExchanged) {
  const std::string code = code_of(R"(__global__ void k(float* o, int n) {
  __shared__ float4 q[8], p[8];
  __shared__ float4 other[4];
  const auto &left = p, &right = q;
  o[n] = left[0].x + right[0].x + other[0].x;
})");
  std::vector<std::string> texts, says;
  for (const TextEdit& edit : edits_of_device_code(code, std::vector{LineRange{4, 5}}, {"_Z1kPfi"})) {
    texts.push_back(with_edit(code, edit));
    says.push_back(edit.says);
  }
  EXPECT_THAT(texts, Contains(HasSubstr("const auto &left = (q), &right = (p);")));
  EXPECT_THAT(says, Contains("`p` and `q` exchanged"));
  EXPECT_THAT(says, Not(Contains(HasSubstr("`o` and `n`"))));
}

TEST(ExchangeEdits, AnIntegerMayBeMeantForAnotherWhereverItStands) {
  constexpr const char* kText = R"(constexpr int kWarp = 32;
constexpr int kGroup = 64;
__global__ void k(const float* a, const float* b, float* o) {
  o[0] = *a + *b;
  a += kWarp;
  b += kWarp;
  o[1] = *a + *b;
})";
  const std::string code = code_of(kText);
  const auto edits = edits_of_device_code(code, std::vector{LineRange{4, 7}}, {"_Z1kPKfS0_Pf"});
  const auto both = std::find_if(edits.begin(), edits.end(), [](const TextEdit& edit) {
    return !edit.also.empty() && edit.says == "`kGroup` in place of `kWarp`";
  });
  ASSERT_NE(both, edits.end());
  EXPECT_EQ(both->line, 5);
  ASSERT_EQ(both->also.size(), 1u);
  EXPECT_EQ(both->also[0].line, 6);
  const std::string edited = with_edit(kText, *both);
  EXPECT_THAT(edited, HasSubstr("  a += (kGroup);\n  b += (kGroup);\n"));
}

TEST(ExchangeEdits, AMemberOfAVectorMayBeAnother) {
  constexpr const char* kText = R"(__global__ void k(const float4* a, float2* o) {
  const float4 v = a[threadIdx.x];
  o[0].x = v.y + a[1].w;
})";
  const std::string code = code_of(kText);
  std::vector<std::string> texts;
  for (const TextEdit& edit :
       edits_of_device_code(code, std::vector{LineRange{2, 3}}, {"_Z1kPK6float4P6float2"}))
    texts.push_back(with_edit(kText, edit));
  for (const char* line :
       {"(o[0].y) = v.y + a[1].w;", "o[0].x = (v.w) + a[1].w;", "o[0].x = v.y + (a[1].z);"})
    EXPECT_THAT(texts, Contains(HasSubstr(line)));
  // A float2 has two, and a thread's index is none.
  EXPECT_THAT(texts, Not(Contains(HasSubstr("o[0].z"))));
  EXPECT_THAT(texts, Not(Contains(HasSubstr("threadIdx.z"))));
}

}  // namespace
}  // namespace fusebox
