#include "grader/judge/repair/learners_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/suspect/played_testing.h"

namespace fusebox {
namespace {

class LearnersLinesTest : public played::Played {
 protected:
  /// First and last lines of the functions that were made over, where the solution has `kGiven`.
  std::vector<std::pair<int, int>> made_over(const std::string& own) {
    Suspect s = suspect("double", "plus one");
    student.source.text = own;
    reference.source.text = kGiven;
    std::vector<std::pair<int, int>> found;
    for (const LineRange& range : functions_made_over(s)) found.emplace_back(range.first, range.last);
    return found;
  }
  static constexpr const char* kGiven = R"(__global__ void one(float* o) {
  if (threadIdx.x > 3) return;
  // FILL ME IN: body (roughly 1 line)
  o[0] = 1;
  // END: body
}
__global__ void other(float* o) {
  o[1] = 2;
}
)";
};

TEST_F(LearnersLinesTest, AFunctionIsMadeOverByALineOutsideOfItsBlanks) {
  std::string text = kGiven;
  EXPECT_TRUE(made_over(text).empty());
  const auto with = [&](const std::string& was, const std::string& is) {
    std::string changed = text;
    return changed.replace(changed.find(was), was.size(), is);
  };
  EXPECT_TRUE(made_over(with("o[0] = 1;", "o[0] = 3;")).empty());
  EXPECT_EQ(made_over(with("o[1] = 2;", "o[1] = 3;")), (std::vector<std::pair<int, int>>{{7, 9}}));
  EXPECT_EQ(made_over(with("> 3", "> 4")), (std::vector<std::pair<int, int>>{{1, 6}}));
}

TEST_F(LearnersLinesTest, WithoutMarkersNothingIsKnownOfBlanks) {
  EXPECT_TRUE(made_over("__global__ void one(float* o) {\n  o[0] = 7;\n}\n").empty());
}

}  // namespace
}  // namespace fusebox
