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
}

TEST(QuotientEdits, WhatIsRoundedUpAlreadyStaysSo) {
  EXPECT_THAT(rounded("(n + 31) / 32"), Not(Contains(HasSubstr("/ 32"))));
  EXPECT_THAT(rounded("(n + b - 1) / b"), Not(Contains("(n + b - 1 + b - 1) / b")));
  EXPECT_THAT(rounded("(n + 7) / 32"), Not(Contains("(n + 31) / 32")));  // hardly a slip of one
}

TEST(QuotientEdits, WhatLacksToAWholeNumberMayBeNothing) {
  EXPECT_THAT(rounded("n + b - n % b"), Contains("(b - n % b) % b"));
  EXPECT_THAT(rounded("n + (b - n % b) % b"), Not(Contains(HasSubstr("% b) % b"))));
}

}  // namespace
}  // namespace fusebox
