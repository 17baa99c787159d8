#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fusebox {

/// One line of a Markdown text, as far as lessons, hints and lists of mistakes use it: what blocks are made
/// of.
struct MarkdownLine {
  enum class Kind {
    fence,     ///< opens or closes a block of code: its text is "```" and the language
    fenced,    ///< inside one
    blank,     ///< nothing, or spaces
    indented,  ///< by four spaces or more: code, or the next line of an item
    heading,
    table,  ///< starts with "|"
    item,   ///< "- ", "* ", "12. "
    text,
  };
  Kind kind = Kind::text;
  std::string_view text;  ///< all of it, without the end of the line
  std::size_t marks = 0;  ///< how much of the text is "## ", "- ", ...; 0 for other kinds
  int level = 0;          ///< of a heading: 1, 2, ...
  int number = 0;         ///< 1, 2, ...
  std::string_view body() const { return text.substr(marks); }
};

/// All lines of `markdown`, which has to outlive them.
std::vector<MarkdownLine> markdown_lines(std::string_view markdown);

}  // namespace fusebox
