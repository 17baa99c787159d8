#include "grader/cli/render/markdown.h"

#include "grader/cli/render/render.h"
#include "grader/report/text/markdown.h"

namespace fusebox {
namespace {

/// What stands between pairs of ** is strong.
std::string emphasised(const std::string& text, const Style& style) {
  std::string shown, run;
  bool strong = false;
  const auto end_run = [&] {
    shown += strong ? style.strong(run) : run;
    run.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "**") == 0) {
      end_run();
      strong = !strong;
      ++i;
    } else {
      run += text[i];
    }
  }
  end_run();
  return shown;
}

}  // namespace

std::string render_markdown(const std::string& markdown, const Style& style) {
  using Kind = MarkdownLine::Kind;
  std::string result, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) result += wrapped(emphasised(paragraph, style), kWidth);
    paragraph.clear();
  };
  for (const MarkdownLine& line : markdown_lines(markdown)) {
    if (line.kind != Kind::text) flush();
    const std::string text(line.text);
    switch (line.kind) {
      case Kind::fence:
        break;
      // What is drawn or aligned stays as it was set.
      case Kind::fenced:
        result += "    " + text + "\n";
        break;
      case Kind::indented:
        result += text + "\n";
        break;
      case Kind::table:
        result += wrapped(text, kWidth, 2);
        break;
      case Kind::heading:
        result += style.strong(std::string(line.body())) + "\n";
        break;
      case Kind::blank:
        result += "\n";
        break;
      case Kind::item:
        paragraph = text;
        break;
      case Kind::text:
        paragraph += paragraph.empty() ? text : " " + text.substr(text.find_first_not_of(' '));
        break;
    }
  }
  flush();
  return result;
}

}  // namespace fusebox
