#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(ExpressionEdits, WhatIsLeftOverMayBeThatOfALengthOfAnotherType) {
  const Edits edits(kernel_of("if (count % 4 == 0) o[rows] = x[0];"));
  EXPECT_THAT(edits.with("`rows % 4 == 0` in place of `count % 4 == 0`"), HasSubstr("(rows) % 4 == 0"));
}

TEST(MissingEdits, AnotherMemberMayHaveToBeScaledToo) {
  const Edits edits(kernel_of("float2 v[4];\nfloat f = x[0];\nv[1].x *= f;\no[0] = v[1].x + v[1].y;"));
  EXPECT_THAT(edits.with("`v[1].y *= f;` behind `v[1].x *= f;`"), HasSubstr("{ v[1].x *= f; v[1].y *= f; }"));
  EXPECT_THAT(edits.says(), Not(Contains("`v[1].z *= f;` behind `v[1].x *= f;`")));
}

TEST(ExpressionEdits, AConstantIsNotComparedWithAnother) {
  const Edits edits(kernel_of("if (rows <= kSide) o[0] = x[0];"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`kEach <= kSide`"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("`heads <= kSide`")));
}

TEST(ExpressionEdits, WhatIsAssignedGoesOnBehindAQuestionMark) {
  const Edits edits(kernel_of("const int i = threadIdx.x;\nfloat v[2];\nv[i] = i < rows ? x[i] : 0.0f;"));
  EXPECT_THAT(edits.with("`v[i] += i < rows ? x[i] : 0.0f` in place of `v[i] = i < rows ? x[i] : 0.0f`"),
              HasSubstr("(v[i] += i < rows ? x[i] : 0.0f);"));
}

TEST(ExpressionEdits, WhatIsAssignedGoesOnBehindAnotherAssignment) {
  const Edits edits(kernel_of("float v[2], sum = 0;\nv[1] = sum += x[0];"));
  EXPECT_THAT(edits.with("`v[1] += sum += x[0]` in place of `v[1] = sum += x[0]`"),
              HasSubstr("(v[1] += sum += x[0]);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("in place of `v[1] = sum`"))));
}

TEST(ExpressionEdits, APointerIsNoProduct) {
  const Edits edits(kernel_of("const auto odd = [](const float* p) { return p[0] * 2; };\no[0] = odd(x);"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("float / p"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("p[0] + 2")));
}

TEST(ExchangeEdits, AllShufflesOfAFunctionMayHaveToBeExchanges) {
  const Edits edits(
      kernel_of("float a = x[0], b = x[1];\na += __shfl_down_sync(~0u, a, 1);\n"
                "b += __shfl_down_sync(~0u, b, 1);\no[0] = a + b;"));
  EXPECT_THAT(edits.with("`__shfl_xor_sync` in place of `__shfl_down_sync`"),
              AllOf(HasSubstr("a += (__shfl_xor_sync(~0u, a, 1));"),
                    HasSubstr("b += (__shfl_xor_sync(~0u, b, 1));")));
}

}  // namespace
}  // namespace fusebox
