#include "grader/simulator/ptx/lexer.h"

#include <gtest/gtest.h>

namespace fusebox::ptx {
namespace {

std::string describe(const Token& t) {
  switch (t.kind) {
    case TokenKind::word:
      return "w:" + std::string(t.text);
    case TokenKind::dotted:
      return "d:" + std::string(t.text);
    case TokenKind::integer:
      return "i:" + std::to_string(t.integer);
    case TokenKind::real:
      return "r:" + std::to_string(t.real) + (t.bits_width ? "/" + std::to_string(t.bits_width) : "");
    case TokenKind::string:
      return "s:" + std::string(t.text);
    case TokenKind::punctuation:
      return std::string(t.text);
    default:
      return "end";
  }
}

struct LexerCase {
  std::string text;
  std::vector<std::string> tokens;
};

const std::vector<LexerCase> kCases = {
    {"", {}},
    {"ld.global.nc.v4.f32", {"w:ld", "d:.global", "d:.nc", "d:.v4", "d:.f32"}},
    {"ld.shared::cta.L2::128B.b32 %r1", {"w:ld", "d:.shared::cta", "d:.L2::128B", "d:.b32", "w:%r1"}},
    {"$L__BB0_2: ret;", {"w:$L__BB0_2", ":", "w:ret", ";"}},
    {"mov.u32 %r1, %tid.x;", {"w:mov", "d:.u32", "w:%r1", ",", "w:%tid", "d:.x", ";"}},
    {"[%rd1+-8]", {"[", "w:%rd1", "+", "-", "i:8", "]"}},
    {"0 17 0x1F 0X1f 0b101 017 42U 0xFFFFFFFFFFFFFFFF",
     {"i:0", "i:17", "i:31", "i:31", "i:5", "i:15", "i:42", "i:-1"}},
    {"0f3F800000 0F40000000 0d3FF0000000000000 1.5 2e3 2.5e-1",
     {"r:1.000000/32", "r:2.000000/32", "r:1.000000/64", "r:1.500000", "r:2000.000000", "r:0.250000"}},
    {"@!%p1 bra L;", {"@", "!", "w:%p1", "w:bra", "w:L", ";"}},
    {"a // to the end\nb /* over\nlines */ c", {"w:a", "w:b", "w:c"}},
    {"/* never closed", {}},
    {"\"a \\\" b\" \"open", {"s:a \\\" b", "s:open"}},
    {"{%f1, %f2} _ | 0xz", {"{", "w:%f1", ",", "w:%f2", "}", "w:_", "|", "i:0", "w:z"}},
    {".b8 x[3]", {"d:.b8", "w:x", "[", "i:3", "]"}},
    {". \x01 \xff #", {".", "\x01", "\xff", "#"}},
};

TEST(Lexer, CutsTextIntoTokens) {
  for (const LexerCase& c : kCases) {
    std::vector<std::string> got;
    for (const Token& token : tokenize(c.text)) got.push_back(describe(token));
    std::vector<std::string> expected = c.tokens;
    expected.push_back("end");
    EXPECT_EQ(got, expected) << c.text;
  }
}

TEST(Lexer, KnowsTheLineOfEveryToken) {
  auto tokens = tokenize("a\nb /*\n\n*/ c // d\n\n e");
  std::vector<int> lines;
  for (const Token& token : tokens) lines.push_back(token.line);
  EXPECT_EQ(lines, (std::vector<int>{1, 2, 4, 6, 6}));
}

TEST(Lexer, KeepsTheBitsOfFloats) {
  auto tokens = tokenize("0fFFC12345 0d7FF8000000000001");
  EXPECT_EQ(tokens[0].bits, 0xffc12345u);
  EXPECT_EQ(tokens[1].bits, 0x7ff8000000000001ull);
}

}  // namespace
}  // namespace fusebox::ptx
