#include "viewer/model/panels/text.h"

#include <algorithm>
#include <cctype>

#include "grader/report/text/markdown.h"

namespace fusebox::view {
namespace {

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\r"));
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

/// Marks that a font of one weight cannot show.
std::string plain(const std::string& text) {
  std::string result;
  bool emphasis = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') continue;
    if (text.compare(i, 2, "**") == 0) {
      ++i;
      continue;
    }
    // *emphasis* touches its words on the inside; a product has spaces around its star.
    if (text[i] == '*') {
      const bool before = i > 0 && text[i - 1] != ' ', after = i + 1 < text.size() && text[i + 1] != ' ';
      const bool closes = emphasis && before, opens = !emphasis && after && !before;
      if (closes || opens) {
        emphasis = opens;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = line.find('|') + 1;
  while (begin < line.size()) {
    const std::size_t end = line.find('|', begin);
    if (end == std::string::npos) break;
    cells.push_back(plain(trimmed(line.substr(begin, end - begin))));
    begin = end + 1;
  }
  return cells;
}

bool is_rule(const std::vector<std::string>& cells) {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.find_first_not_of("-: ") == std::string::npos && !cell.empty();
  });
}

}  // namespace

std::vector<Block> blocks_of(const std::string& markdown) {
  using Kind = Block::Kind;
  using Line = MarkdownLine::Kind;
  std::vector<Block> blocks;
  bool fresh = true;  // nothing that a line could go on with
  const auto last_is = [&](Kind kind) { return !blocks.empty() && blocks.back().kind == kind; };
  const auto add_code = [&](const std::string& code) {
    if (last_is(Kind::code))
      blocks.back().text += "\n" + code;
    else
      blocks.push_back({Kind::code, code, {}, 0});
  };
  for (const MarkdownLine& line : markdown_lines(markdown)) {
    const std::string body(line.body());
    switch (line.kind) {
      case Line::fence:
        break;
      case Line::fenced:
        add_code(body);
        continue;
      case Line::blank:
        // Between two pieces of code it belongs to it; at its end it is taken off below.
        if (last_is(Kind::code)) blocks.back().text += "\n";
        break;
      case Line::heading:
        blocks.push_back({Kind::heading, plain(trimmed(body)), {}, line.level});
        break;
      case Line::table: {
        if (!last_is(Kind::table) || fresh) blocks.push_back({Kind::table, "", {}, 0});
        auto cells = cells_of(body);
        if (!is_rule(cells)) blocks.back().rows.push_back(std::move(cells));
        break;
      }
      case Line::item: {
        const std::string number(std::isdigit(static_cast<unsigned char>(line.text[0])) != 0
                                     ? line.text.substr(0, line.marks)
                                     : "");
        blocks.push_back({Kind::item, number + plain(body), {}, 0});
        break;
      }
      case Line::indented:
      case Line::text:
        if (line.kind == Line::indented && (fresh || last_is(Kind::code)))
          add_code(body.substr(4));
        else if (!fresh && (last_is(Kind::paragraph) || last_is(Kind::item)))
          blocks.back().text += " " + plain(trimmed(body));
        else
          blocks.push_back({Kind::paragraph, plain(trimmed(body)), {}, 0});
        break;
    }
    fresh = line.kind == Line::fence || line.kind == Line::blank || line.kind == Line::heading;
  }
  for (Block& block : blocks)
    if (block.kind == Kind::code) block.text.erase(block.text.find_last_not_of("\n ") + 1);
  return blocks;
}

}  // namespace fusebox::view
