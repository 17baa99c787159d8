#include "grader/report/text/markdown.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

using Kind = MarkdownLine::Kind;

struct Line {
  const char* text;
  Kind kind;
  const char* body;
  int level = 0;
};

TEST(Markdown, WhatALineIs) {
  for (const Line& row : {Line{"", Kind::blank, ""},
                          {"  \t", Kind::blank, "  \t"},
                          {"# p20 Title", Kind::heading, "p20 Title", 1},
                          {"## The idea ", Kind::heading, "The idea ", 2},
                          {"##", Kind::heading, "", 2},
                          {"#include", Kind::heading, "include", 1},
                          {"- a point", Kind::item, "a point"},
                          {"* a point", Kind::item, "a point"},
                          {"7. seventh", Kind::item, "seventh"},
                          {"12. twelfth", Kind::item, "twelfth"},
                          {"1995. A year", Kind::text, "1995. A year"},
                          {"7.5 is a number", Kind::text, "7.5 is a number"},
                          {"-1 is a number", Kind::text, "-1 is a number"},
                          {"**strong** words", Kind::text, "**strong** words"},
                          {"| a | b |", Kind::table, "| a | b |"},
                          {"    x = 1;", Kind::indented, "    x = 1;"},
                          {"  goes on", Kind::text, "  goes on"},
                          {"```cuda", Kind::fence, "```cuda"}}) {
    const auto lines = markdown_lines(row.text);
    if (lines.empty()) {
      EXPECT_STREQ(row.text, "");
      continue;
    }
    ASSERT_EQ(lines.size(), 1u) << row.text;
    EXPECT_EQ(lines[0].kind, row.kind) << row.text;
    EXPECT_EQ(lines[0].body(), row.body) << row.text;
    EXPECT_EQ(lines[0].level, row.level) << row.text;
  }
}

TEST(Markdown, NothingInAFencedBlockIsMarkdown) {
  const auto lines = markdown_lines("## a\r\n```diff\n- b\n\n## c\n```\n- d");
  const Kind kinds[] = {Kind::heading, Kind::fence, Kind::fenced, Kind::fenced,
                        Kind::fenced,  Kind::fence, Kind::item};
  ASSERT_EQ(lines.size(), std::size(kinds));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].kind, kinds[i]) << i;
    EXPECT_EQ(lines[i].number, static_cast<int>(i) + 1);
  }
  EXPECT_EQ(lines[0].body(), "a") << "without the carriage return";
  EXPECT_EQ(lines[2].body(), "- b");
}

}  // namespace
}  // namespace fusebox
