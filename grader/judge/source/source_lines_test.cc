#include "grader/judge/source/source_lines.h"

#include <gmock/gmock.h>

namespace fusebox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TrimmedLines, HaveNoSpaceAroundThem) {
  EXPECT_THAT(trimmed_lines("  if (a)\n\n\tb; \r\n \n}"), ElementsAre("if (a)", "", "b;", "", "}"));
  EXPECT_THAT(trimmed_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(trimmed_lines(""), IsEmpty());
}

}  // namespace
}  // namespace fusebox
