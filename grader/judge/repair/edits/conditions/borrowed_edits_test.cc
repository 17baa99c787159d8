#include <gmock/gmock.h>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(BorrowedEdits, WhatOneLoopAsksAnotherMayHaveToAskToo) {
  const Edits edits(
      kernel_of("float kept[kEach], sum = 0, around = 0;\n"
                "for (int i = 0; i < kEach; ++i) {\nconst int c = threadIdx.x + i * 32;\n"
                "kept[i] = c < rows ? x[c] : 0;\n}\n"
                "for (int i = 0; i < kEach; ++i) sum += kept[i];\n"
                "for (int i = 0; i < kEach; ++i) if (i < heads) around += kept[i] * kept[i];\n"
                "o[0] = sum + around;"));
  EXPECT_THAT(edits.with("`if ((threadIdx.x + i * 32) < rows)` before `sum += kept[i];`"),
              HasSubstr("{ if ((threadIdx.x + i * 32) < rows) sum += kept[i]; }"));
  EXPECT_THAT(edits.with("`(threadIdx.x + i * 32) < rows` in place of `i < heads`"),
              HasSubstr("if (((threadIdx.x + i * 32) < rows))"));
  EXPECT_THAT(edits.says(), Contains("`if (i < heads)` before `sum += kept[i];`"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if ((threadIdx.x + i * 32) < rows)` before `kept"))));
}

TEST(BorrowedEdits, WhatCannotBeAskedThereIsNot) {
  const Edits edits(
      kernel_of("float sum = 0;\nfor (int i = 0; i < kEach; ++i) {\nint c = threadIdx.x;\nc += i;\n"
                "if (c < rows) o[c] = 0;\n}\nfor (int k = 0; k < heads; ++k) sum += x[k];\no[0] = sum;"));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if (c < rows)` before `sum"))));
  EXPECT_THAT(edits.says(), Not(Contains(HasSubstr("`if ((threadIdx.x) < rows)` before `sum"))));
}

}  // namespace
}  // namespace fusebox
