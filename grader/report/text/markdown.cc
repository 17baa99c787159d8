#include "grader/report/text/markdown.h"

#include <algorithm>
#include <cctype>

namespace fusebox {
namespace {

using Kind = MarkdownLine::Kind;

std::size_t item_marks(std::string_view text) {
  if (text.starts_with("- ") || text.starts_with("* ")) return 2;
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
  return digits > 0 && digits < 3 && text.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

MarkdownLine line_of(std::string_view text, bool fenced) {
  MarkdownLine line{fenced ? Kind::fenced : Kind::text, text};
  const auto behind = [&](char mark) { return std::min(text.find_first_not_of(mark), text.size()); };
  if (text.starts_with("```")) {
    line.kind = Kind::fence;
  } else if (fenced) {
    return line;
  } else if (text.find_first_not_of(" \t") == text.npos) {
    line.kind = Kind::blank;
  } else if (text.starts_with("    ")) {
    line.kind = Kind::indented;
  } else if (text.starts_with('#')) {
    line.kind = Kind::heading;
    line.level = static_cast<int>(behind('#'));
    line.marks = std::min(text.find_first_not_of("# "), text.size());
  } else if (text.starts_with('|')) {
    line.kind = Kind::table;
  } else if (const std::size_t marks = item_marks(text)) {
    line.kind = Kind::item;
    line.marks = marks;
  }
  return line;
}

}  // namespace

std::vector<MarkdownLine> markdown_lines(std::string_view markdown) {
  std::vector<MarkdownLine> lines;
  bool fenced = false;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view text = markdown.substr(0, end);
    if (text.ends_with('\r')) text.remove_suffix(1);
    lines.push_back(line_of(text, fenced));
    lines.back().number = static_cast<int>(lines.size());
    if (lines.back().kind == Kind::fence) fenced = !fenced;
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return lines;
}

}  // namespace fusebox
