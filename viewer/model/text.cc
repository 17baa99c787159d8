#include "viewer/model/text.h"

#include <algorithm>
#include <cctype>

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

std::size_t item_length(const std::string& line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  return digits > 0 && digits < 3 && line.compare(digits, 2, ". ") == 0 ? digits + 2 : 0;
}

}  // namespace

std::vector<Block> blocks_of(const std::string& markdown) {
  std::vector<Block> blocks;
  bool fenced = false, fresh = true;
  using Kind = Block::Kind;
  for (std::size_t begin = 0; begin < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', begin), markdown.size());
    std::string line = markdown.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto add_code = [&](const std::string& code) {
      if (!blocks.empty() && blocks.back().kind == Kind::code)
        blocks.back().text += "\n" + code;
      else
        blocks.push_back({Kind::code, code, {}, 0});
    };
    if (line.starts_with("```")) {
      fenced = !fenced;
      fresh = true;
    } else if (fenced) {
      add_code(line);
    } else if (trimmed(line).empty()) {
      // An empty line between two pieces of code belongs to it; one at its end is taken off below.
      if (!blocks.empty() && blocks.back().kind == Kind::code) blocks.back().text += "\n";
      fresh = true;
    } else if (line.starts_with("    ") && (fresh || (!blocks.empty() && blocks.back().kind == Kind::code))) {
      add_code(line.substr(4));
      fresh = false;
    } else if (line.starts_with("#")) {
      const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
      blocks.push_back({Kind::heading, plain(trimmed(line.substr(level))), {}, static_cast<int>(level)});
      fresh = true;
    } else if (line.starts_with("|")) {
      if (blocks.empty() || blocks.back().kind != Kind::table || fresh)
        blocks.push_back({Kind::table, "", {}, 0});
      auto cells = cells_of(line);
      if (!is_rule(cells)) blocks.back().rows.push_back(std::move(cells));
      fresh = false;
    } else if (const std::size_t length = item_length(line)) {
      const std::string mark = line[0] == '-' || line[0] == '*' ? "" : line.substr(0, length);
      blocks.push_back({Kind::item, mark + plain(line.substr(length)), {}, 0});
      fresh = false;
    } else if (!fresh && !blocks.empty() &&
               (blocks.back().kind == Kind::paragraph || blocks.back().kind == Kind::item)) {
      blocks.back().text += " " + plain(trimmed(line));
    } else {
      blocks.push_back({Kind::paragraph, plain(trimmed(line)), {}, 0});
      fresh = false;
    }
  }
  for (Block& block : blocks)
    if (block.kind == Kind::code) block.text.erase(block.text.find_last_not_of("\n ") + 1);
  return blocks;
}

}  // namespace fusebox::view
