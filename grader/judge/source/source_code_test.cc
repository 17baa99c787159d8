#include "grader/judge/source/source_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(SourceCode, ParametersOfADefinition) {
  const struct {
    const char* text;
    std::vector<std::string> names;
  } rows[] = {
      {"void f(const float* __restrict__ x, float *y, int n) {}", {"x", "y", "n"}},
      {"void f(int);\nvoid f(int n)\n{ return; }", {"n"}},
      {"void g(int a) { f(1, 2); }", {}},
      {"void f() {}", {}},
      {"// void f(int old) {}\nvoid f(std::pair<int, int> size /* of all */, int n = 3) {}", {"size", "n"}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(parameters_of(code_of(row.text), "f"), testing::ElementsAreArray(row.names)) << row.text;
}

}  // namespace
}  // namespace fusebox
