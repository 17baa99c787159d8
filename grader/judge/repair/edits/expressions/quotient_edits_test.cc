#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// What the typical edits put in place of a number of blocks.
std::vector<std::string> rounded(const std::string& quotient) {
  const std::string code =
      code_of("constexpr int b = 32;\nint f(int n) { const int blocks = " + quotient + "; return blocks; }");
  std::vector<std::string> with;
  for (const TextEdit& edit : edits_of_host_code(code, std::vector{LineRange{2, 2}}, "f"))
    if (edit.is_typical) with.push_back(edit.with);
  return with;
}

TEST(QuotientEdits, WhatIsRoundedByAnotherNumberThanItIsDividedBy) {
  EXPECT_THAT(rounded("n / b"), Contains("(n + b - 1) / b"));
  EXPECT_THAT(rounded("(n - 1) / b"), Contains("(n + b - 1) / b"));
  EXPECT_THAT(rounded("(n - b - 1) / b"), Contains("(n + b - 1) / b"));
  EXPECT_THAT(rounded("(n + b) / b"), Contains("(n + b - 1) / b"));
  EXPECT_THAT(rounded("(n + b - 1) * b"), Contains("(n + b - 1) / b"));
  EXPECT_THAT(rounded("(n + 30) / 32"), Contains("(n + 31) / 32"));
  EXPECT_THAT(rounded("(n - 31) / 32"), Contains("(n + 31) / 32"));
  EXPECT_THAT(rounded("(n - 1) / b - 1"), Contains("(n - 1) / b + 1"));
  EXPECT_THAT(rounded("(n - 1 - n / 2) / b + 1"), Contains("(n - 1 - n / 2 + b) / b"));
  EXPECT_THAT(rounded("n == 0 ? 0 : (b + n - 1) / n"), Contains("((b + n - 1) / n + 3) / 4 * 4"));
  EXPECT_THAT(rounded("(n / b + 1) * b"), Contains("(n + b - 1) / b"));
}

TEST(QuotientEdits, WhatIsRoundedUpAlreadyStaysSo) {
  EXPECT_THAT(rounded("(n + 31) / 32"), Not(Contains(HasSubstr("/ 32"))));
  EXPECT_THAT(rounded("(n + b - 1) / b"), Not(Contains("(n + b - 1 + b - 1) / b")));
  EXPECT_THAT(rounded("n / b + 1 * n"), Not(Contains(HasSubstr("b - 1) / b * n"))));
  EXPECT_THAT(rounded("(n + 7) / 32"), Not(Contains("(n + 31) / 32")));  // hardly a slip of one
}

TEST(QuotientEdits, WhatAFloatIsGivenMayHaveLostWhatIsBehindItsPoint) {
  const auto made_floats = [](const std::string& body) {
    const Edits edits(
        "struct Part { int count; float mean; };\n__global__ void k(float* o, Part p, float f, int n) {\n" +
        body + "\n}\n");
    return std::any_of(edits.edits.begin(), edits.edits.end(), [](const TextEdit& edit) {
      return edit.is_typical && edit.with.starts_with("static_cast<float>(");
    });
  };
  EXPECT_TRUE(made_floats("const float share = p.count / n;"));
  EXPECT_TRUE(made_floats("float share = 1 / n; o[0] = share;"));
  EXPECT_FALSE(made_floats("const float share = f / n;"));
  EXPECT_FALSE(made_floats("const float share = 1.0f / n;"));
  EXPECT_FALSE(made_floats("const int half = p.count / n; o[half] = f;"));
}

TEST(QuotientEdits, WhatLacksToAWholeNumberMayBeNothing) {
  EXPECT_THAT(rounded("n + b - n % b"), Contains("(b - n % b) % b"));
  EXPECT_THAT(rounded("n + (b - n % b) % b"), Not(Contains(HasSubstr("% b) % b"))));
}

TEST(QuotientEdits, AnIndexIsNoFloat) {
  const Edits edits(kernel_of("float sum = 0; sum += x[rows / heads + 1]; sum += rows / heads; o[0] = sum;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("x[static_cast<float>"))));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("sum += static_cast<float>(rows)")));
}

TEST(QuotientEdits, APlaceMayBeTakenForACountOfElements) {
  const Edits edits(kernel_of(
      "const auto from = reinterpret_cast<std::uintptr_t>(x);\n"
      "if (from % 4 == 0 && reinterpret_cast<std::uintptr_t>(o) % 4 == 0 && rows % 4 == 0) o[0] = 1;"));
  EXPECT_THAT(
      edits.with("`from % sizeof(float4)` in place of `from % 4`"),
      HasSubstr(
          "from % (sizeof(float4)) == 0 && reinterpret_cast<std::uintptr_t>(o) % (sizeof(float4)) == 0 && rows % 4"));
}

TEST(QuotientEdits, OfWholePiecesTheLastIsWholeToo) {
  const Edits edits(
      kernel_of("const int last = rows > 1 ? kEach : rows % kEach;\nif (rows % 4 == 0) o[last] = 1;"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("(rows - 1) % kEach + 1")));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("(rows - 1) % 4 + 1"))));
}

TEST(QuotientEdits, AFactorMayHaveToBeDividedAsAnotherIs) {
  const Edits edits(kernel_of(
      "const int first = blockIdx.x, all = gridDim.x;\nfor (int b = first / 32 * kSide; b < rows; b += all * kSide) o[b] = 1;"));
  EXPECT_THAT(edits.says(), Contains(HasSubstr("all / 32 * kSide")));
}

}  // namespace
}  // namespace fusebox
