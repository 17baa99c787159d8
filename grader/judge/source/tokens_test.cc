#include "grader/judge/source/tokens.h"

#include <gmock/gmock.h>

#include <string>

#include "grader/judge/source/source_code.h"

namespace fusebox {
namespace {

std::vector<std::string> texts(std::string_view code) {
  std::vector<std::string> all;
  for (const Token& token : tokens_of(code)) all.emplace_back(token.text);
  return all;
}

TEST(Tokens, AreWordsNumbersAndSigns) {
  EXPECT_THAT(texts("a[i] += 1.5e-3f * x->y;"),
              testing::ElementsAre("a", "[", "i", "]", "+=", "1.5e-3f", "*", "x", "->", "y", ";"));
  EXPECT_THAT(texts("k<<<grid, 0x1Fu>>>(p);"),
              testing::ElementsAre("k", "<<<", "grid", ",", "0x1Fu", ">>>", "(", "p", ")", ";"));
}

TEST(Tokens, LinesOfThePreprocessorHaveNone) {
  const std::string code = code_of("#define X(a) \\\n  (a + 1)\nint b;  // c\n#pragma unroll\nd;");
  const auto tokens = tokens_of(code);
  EXPECT_THAT(texts(code), testing::ElementsAre("int", "b", ";", "d", ";"));
  EXPECT_EQ(tokens.front().line, 3);
  EXPECT_EQ(tokens.back().line, 5);
}

TEST(Tokens, BracketsHavePartners) {
  const auto partners = partners_of(tokens_of("f(a[1], {2})"));
  EXPECT_EQ(partners[1], 10u);  // ( and )
  EXPECT_EQ(partners[3], 5u);   // [ and ]
  EXPECT_EQ(partners[9], 7u);   // } and {
  EXPECT_EQ(partners[0], std::string_view::npos);
  EXPECT_EQ(partners_of(tokens_of("(]"))[0], std::string_view::npos);
}

}  // namespace
}  // namespace fusebox
