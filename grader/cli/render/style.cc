#include "grader/cli/render/style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "grader/judge/source/source_file.h"

namespace fusebox {

std::string Style::wrap(const char* code, std::string_view text) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

Style style_for(int descriptor, bool no_color) {
  const char* environment = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = !terminal || std::string_view(terminal) == "dumb";
  return Style(!no_color && !(environment && *environment) && !dumb && ::isatty(descriptor) == 1);
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ++width;
  }
  return width;
}

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (row.size() < 2) continue;
    if (row.size() > widths.size()) widths.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool to_left = c == 0 || std::find(left.begin(), left.end(), c) != left.end();
      const std::size_t cell = width_of(row[c]);
      const std::string space(row.size() < 2 || cell > widths[c] ? 0 : widths[c] - cell, ' ');
      line += "  " + (to_left ? row[c] + space : space + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string printable(std::string_view text) {
  std::string result;
  std::size_t bad = first_bad_utf8(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == '\r' && next == '\n') continue;
    const bool control = (byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F;
    const bool control_of_two = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    if (i == bad) {
      const std::size_t further = first_bad_utf8(text.substr(i + 1));
      bad = further == std::string_view::npos ? further : i + 1 + further;
      result += fmt::format("\\x{:02x}", byte);
    } else if (control) {
      result += fmt::format("\\x{:02x}", byte);
    } else if (control_of_two) {
      result += fmt::format("\\x{:02x}\\x{:02x}", byte, next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result, line;
  const std::string margin(indent, ' ');
  const auto flush = [&] {
    if (!line.empty()) result += margin + line;
    result += "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // A line that fits stays as it was set, with its own spacing: code, tables.
    if (width_of(paragraph) + indent <= width) {
      line = paragraph;
      flush();
      continue;
    }
    const std::size_t own = std::min(paragraph.find_first_not_of(' '), paragraph.size());
    line = std::string(own, ' ');
    bool first = true;
    while (!paragraph.empty()) {
      const std::size_t begin = paragraph.find_first_not_of(' ');
      if (begin == std::string_view::npos) break;
      paragraph.remove_prefix(begin);
      const std::size_t stop = std::min(paragraph.find(' '), paragraph.size());
      const std::string_view word = paragraph.substr(0, stop);
      paragraph.remove_prefix(stop);
      if (!first && width_of(line) + 1 + width_of(word) + indent > width) {
        flush();
        line = std::string(own, ' ');
        first = true;
      }
      if (!first) line += ' ';
      line += word;
      first = false;
    }
    flush();
  }
  return result;
}

std::string hanging(std::string_view first, std::string_view text, std::size_t width) {
  const std::size_t indent = width_of(first);
  const std::string lines = wrapped(text, width, indent);
  return std::string(first) + (lines.size() > indent ? lines.substr(indent) : "\n");
}

std::string cut_to(const std::string& line, std::size_t width) {
  if (width_of(line) <= width) return line;
  std::size_t end = 0, columns = 0;
  while (end < line.size() && columns + 3 < width) {
    do ++end;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80);
    ++columns;
  }
  return line.substr(0, end) + "...";
}

std::string first_lines(const std::string& text, std::size_t lines) {
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); --lines) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  fmt::print(stderr, "\r\x1b[K{}", cut_to(text, kWidth - 1));  // a line that wraps could not be taken back
  std::fflush(stderr);
}

}  // namespace fusebox
