#include "grader/toolchain/blanks.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

const std::string kSource =
    "void f() {\n"
    "    // FILL ME IN: one (roughly 2 lines)\n"
    "    a();\n"
    "    b();\n"
    "    // END: one\n"
    "    // FILL ME IN: two (roughly 1 line)\n"
    "    // END: two\n"
    "}\n";

std::string crlf(std::string s) {
  for (std::size_t at = 0; (at = s.find('\n', at)) != s.npos; at += 2) s.insert(at, "\r");
  return s;
}

TEST(Blanks, FoundWithLinesAndBodies) {
  for (const bool windows : {false, true}) {
    SCOPED_TRACE(windows ? "CRLF" : "LF");
    const auto blanks = find_blanks(windows ? crlf(kSource) : kSource);
    ASSERT_TRUE(blanks.ok()) << blanks.error().what;
    ASSERT_EQ(blanks->size(), 2u);
    const Blank &one = blanks->at(0), &two = blanks->at(1);
    EXPECT_EQ(one.name, "one");
    EXPECT_EQ(one.first_line, 2);
    EXPECT_EQ(one.last_line, 5);
    EXPECT_EQ(one.body, windows ? "    a();\r\n    b();\r\n" : "    a();\n    b();\n");
    EXPECT_FALSE(one.empty);
    EXPECT_EQ(two.first_line, 6);
    EXPECT_EQ(two.last_line, 7);
    EXPECT_TRUE(two.empty);
  }
}

TEST(Blanks, EmptyMeansWhiteSpaceAndComments) {
  const struct {
    const char* body;
    bool empty;
  } cases[] = {
      {"", true},
      {"\n \t\r\n", true},
      {"  // a thought\n", true},
      {"  // a thought \\ b();\n", true},
      {"/* b(); \n c(); */\n", true},
      {"/**/ // x\n", true},
      {"/* never closed\n", true},
      {"/* x */ b();\n", false},
      {"// x\nb();\n", false},
      {";\n", false},
      {"a / b\n", false},
  };
  for (const auto& c : cases) {
    const auto blanks = find_blanks(std::string("// FILL ME IN: x\n") + c.body + "// END: x");
    ASSERT_TRUE(blanks.ok()) << c.body;
    EXPECT_EQ(blanks->at(0).empty, c.empty) << c.body;
  }
}

TEST(Blanks, MarkersThatDoNotPairUpNameTheLine) {
  const struct {
    const char* source;
    const char* line;
    const char* word;
  } cases[] = {
      {"\n// FILL ME IN: x\n", "line 2:", "no `END: x`"},
      {"\n\n// END: x\n", "line 3:", "without"},
      {"// FILL ME IN: x\n// END: y\n", "line 2:", "closes blank `x`"},
      {"// FILL ME IN: x\n// FILL ME IN: y\n// END: y\n// END: x\n", "line 2:", "inside"},
      {"// FILL ME IN: x\n// END: x\n// FILL ME IN: x\n// END: x\n", "line 3:", "second"},
      {"// FILL ME IN: (roughly 3 lines)\n", "line 1:", "without a name"},
  };
  for (const auto& c : cases) {
    const auto blanks = find_blanks(c.source);
    ASSERT_FALSE(blanks.ok()) << c.source;
    EXPECT_EQ(blanks.error().kind, ErrorKind::not_passed);
    EXPECT_EQ(blanks.error().what.find(c.line), 0u) << blanks.error().what;
    EXPECT_NE(blanks.error().what.find(c.word), std::string::npos) << blanks.error().what;
    EXPECT_FALSE(strip_blanks(c.source).ok());
    EXPECT_FALSE(graft_blank(c.source, "x", "").ok());
  }
}

TEST(Blanks, TextThatOnlyMentionsThemIsNoMarker) {
  for (const char* source :
       {"", "int x;  // FILL ME IN: x\n", "// Write between FILL ME IN: and END:\n", "\"// END: x\"\n"}) {
    const auto blanks = find_blanks(source);
    ASSERT_TRUE(blanks.ok()) << source;
    EXPECT_TRUE(blanks->empty()) << source;
  }
}

TEST(Blanks, StripLeavesMarkersAndOneBlankLine) {
  const auto stripped = strip_blanks(kSource);
  ASSERT_TRUE(stripped.ok());
  EXPECT_EQ(*stripped,
            "void f() {\n"
            "    // FILL ME IN: one (roughly 2 lines)\n\n"
            "    // END: one\n"
            "    // FILL ME IN: two (roughly 1 line)\n\n"
            "    // END: two\n"
            "}\n");
  EXPECT_EQ(strip_blanks(*stripped).value(), *stripped) << "stripping twice changes nothing";
  EXPECT_EQ(strip_blanks(crlf(kSource)).value(), crlf(*stripped));
  const auto emptied = find_blanks(*stripped);
  for (const Blank& blank : emptied.value()) EXPECT_TRUE(blank.empty);
}

TEST(Blanks, GraftPutsOneBodyIn) {
  const auto grafted = graft_blank(kSource, "one", "    c();");
  ASSERT_TRUE(grafted.ok());
  const auto blanks = find_blanks(*grafted);
  EXPECT_EQ(blanks->at(0).body, "    c();\n");
  EXPECT_TRUE(blanks->at(1).empty);
  EXPECT_EQ(graft_blank(crlf(kSource), "one", "c();").value().find("c();\r\n    // END: one"), 54u);

  // A body that is put back where it came from gives the same file.
  EXPECT_EQ(graft_blank(*grafted, "one", find_blanks(kSource)->at(0).body).value(), kSource);
  EXPECT_FALSE(graft_blank(kSource, "three", "").ok());
}

}  // namespace
}  // namespace fusebox
