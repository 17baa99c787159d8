#include <gmock/gmock.h>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(CarriedEdits, ASumOfPartsMayHaveOneOfThemAlready) {
  const Edits edits(kernel_of(
      "__shared__ float parts[8];\nfloat v = x[threadIdx.x], w = 0.0f;\n"
      "for (const float part : parts) v += part;\nfor (const float part : parts) w += part;\no[0] = v + w;"));
  EXPECT_THAT(edits.with("`v = 0;` in front of the loop"),
              HasSubstr("v = 0; for (const float part : parts) v"));
  EXPECT_THAT(edits.says(), Not(Contains("`w = 0;` in front of the loop")));
}

TEST(CarriedEdits, ANewLargestValueHasATermOfItsOwn) {
  const Edits edits(
      kernel_of("float top = x[0], sum = 1;\nsum *= expf(top - x[1]);\nsum *= x[2];\no[0] = sum;"));
  const std::string with = "sum = sum * (expf(top - x[1])) + 1.0f;";
  EXPECT_THAT(edits.with("`" + with + "` in place of `sum *= expf(top - x[1]);`"), HasSubstr(with));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("sum * (x[2])"))));
}

TEST(CarriedEdits, WhatIsFetchedForTheNextRoundMayComeTooSoon) {
  const Edits edits(
      kernel_of("float v = x[0], sum = 0;\nfor (int c = 0; c < rows; ++c) {\n"
                "if (c + 1 < rows) v = x[c + 1];\nsum += v;\n}\no[0] = sum;"));
  EXPECT_THAT(edits.with("`if (c + 1 < rows) v = x[c + 1];` at the end of the round"),
              HasSubstr("sum += v;\n if (c + 1 < rows) v = x[c + 1]; }"));
}

}  // namespace
}  // namespace fusebox
