#include "grader/judge/source/function_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace fusebox {
namespace {

using testing::HasSubstr;

const Signature kWanted = signature<void(const float*, float*, int)>("scale");

TEST(FunctionMatch, FindsTheExactOne) {
  const std::vector<std::string> functions{"other(int)", "scale(float const*, float*, int)"};
  EXPECT_EQ(match_function(kWanted, functions).index, 1u);
}

TEST(FunctionMatch, ChangedSignatureSaysExpectedAndFound) {
  const auto match = match_function(kWanted, std::vector<std::string>{"scale(float*, float*, int)"});
  EXPECT_FALSE(match.index);
  EXPECT_THAT(match.problem, HasSubstr("expected scale(float const*, float*, int)"));
  EXPECT_THAT(match.problem, HasSubstr("found    scale(float*, float*, int)"));
}

TEST(FunctionMatch, NamespaceAndCLinkageAreNamed) {
  EXPECT_THAT(
      match_function(kWanted, std::vector<std::string>{"mine::scale(float const*, float*, int)"}).problem,
      HasSubstr("mine::scale"));
  EXPECT_THAT(match_function(kWanted, std::vector<std::string>{"scale"}).problem, HasSubstr("extern \"C\""));
}

TEST(FunctionMatch, AbsentFunctionIsSaid) {
  const auto match = match_function(kWanted, std::vector<std::string>{"rescale(float const*, float*, int)"});
  EXPECT_FALSE(match.index);
  EXPECT_THAT(match.problem, HasSubstr("does not define"));
}

}  // namespace
}  // namespace fusebox
