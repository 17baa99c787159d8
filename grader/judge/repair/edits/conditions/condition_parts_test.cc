#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/judge/repair/edits/edits_testing.h"

namespace fusebox {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// What is said in place of the edit of which this is said, where that mends as well.
std::vector<std::string> weaker(const Edits& edits, const std::string& says) {
  std::vector<std::string> all;
  for (const TextEdit& edit : edits.edits)
    if (edit.says == says)
      for (const TextEdit& weaker : edit.weaker) all.push_back(weaker.says);
  return all;
}

TEST(ConditionParts, AnotherNameSaysNoMoreThanThatAPartIsLeftOut) {
  const Edits edits(kernel_of(
      "const int top = threadIdx.x, left = threadIdx.y;\nif (top >= rows || left > top + kEach) return;\n"
      "o[top] = x[left];"));
  const std::string without = "`left > top + kEach` left out of `top >= rows || left > top + kEach`";
  const std::string always = "`left > top + kEach` always true";
  EXPECT_THAT(edits.with(without), HasSubstr("if ((top >= rows)) return;"));
  EXPECT_THAT(
      weaker(edits, "`top >= rows || heads > top + kEach` in place of `top >= rows || left > top + kEach`"),
      ElementsAre(without, always));
  EXPECT_THAT(
      weaker(edits, "`top >= rows && left > top + kEach` in place of `top >= rows || left > top + kEach`"),
      testing::SizeIs(2));
  // So often meant that nothing else is asked.
  EXPECT_THAT(
      weaker(edits, "`top >= rows || left >= top + kEach` in place of `top >= rows || left > top + kEach`"),
      testing::IsEmpty());
  const Edits alone(kernel_of("const int top = threadIdx.x;\nif (top >= rows) return;\no[top] = x[0];"));
  EXPECT_THAT(weaker(alone, "`top >= heads` in place of `top >= rows`"),
              ElementsAre("`if (top >= rows) return` left out", "`top >= rows` always true"));
}

TEST(ConditionParts, ANumberThatOnlyDecidesAConditionSaysSo) {
  const Edits edits(
      kernel_of("const bool fast = rows <= 4 * kSide;\nif (fast) o[0] = x[0]; else o[0] = x[heads];"));
  const auto edit = std::find_if(edits.edits.begin(), edits.edits.end(), [](const TextEdit& each) {
    return each.says.find("rows <= 8 * kSide") != each.says.npos;
  });
  ASSERT_NE(edit, edits.edits.end());
  ASSERT_EQ(edit->weaker.size(), 2u);
  EXPECT_EQ(edit->weaker[0].says, "`rows <= 4 * kSide` never true");
  // Right only where the changed condition never holds, not where the old one does not.
  EXPECT_THAT(with_edit(edits.code, edit->weaker[0]),
              HasSubstr("fast = ((rows <= (8) * kSide) && (__trap(), true));"));
  EXPECT_EQ(edit->weaker[1].says, "`rows <= 4 * kSide` always true");
  EXPECT_THAT(with_edit(edits.code, edit->weaker[1]),
              HasSubstr("fast = ((rows <= (8) * kSide) || (__trap(), true));"));
}

TEST(ConditionParts, ABoolIsMadeOfPartsToo) {
  const Edits edits(kernel_of("const bool there = heads < kEach || rows < 7;\nif (there) o[0] = x[0];"));
  EXPECT_THAT(edits.with("`heads < kEach` left out of `heads < kEach || rows < 7`"),
              HasSubstr("const bool there = (rows < 7);"));
}

}  // namespace
}  // namespace fusebox
