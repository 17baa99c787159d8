#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fusebox {

/// Columns of a terminal, which all text fits.
inline constexpr std::size_t kWidth = 80;

/// How text looks on the terminal it goes to. Without colour every function gives its text back as it is.
class Style {
 public:
  explicit Style(bool colour = false) : colour_(colour) {}

  bool colour() const { return colour_; }
  std::string good(std::string_view text) const { return wrap("32", text); }
  std::string bad(std::string_view text) const { return wrap("31", text); }
  std::string open(std::string_view text) const { return wrap("33", text); }
  std::string quiet(std::string_view text) const { return wrap("2", text); }
  std::string strong(std::string_view text) const { return wrap("1", text); }

 private:
  std::string wrap(const char* code, std::string_view text) const;
  bool colour_;
};

/// Colour when `descriptor` is a terminal that knows it, NO_COLOR is not set and --no-color was not given.
Style style_for(int descriptor, bool no_color);

/// Columns that a text takes: UTF-8 characters, escape sequences not counted.
std::size_t width_of(std::string_view text);

/// How often a line ends in it.
std::size_t lines_of(std::string_view text);

/// The first `lines` lines of a text.
std::string first_lines(const std::string& text, std::size_t lines);

/// Rows of cells, aligned: the first column to the left, the others to the right unless `left` names them. A
/// row with one cell is a heading and takes no part in the widths. Two spaces of indentation and between
/// columns.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<std::size_t>& left = {});

/// `text` without what a terminal would obey: control characters but tab and line feed become "\x1b". What a
/// learner's program or a compiler's message says goes through this before people see it.
std::string printable(std::string_view text);

/// `text` broken at spaces to lines of at most `width` columns, each after `indent` spaces; line ends in it
/// are kept.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// A line cut to `width` columns, with "..." where something is gone.
std::string cut_to(const std::string& line, std::size_t width);

/// `text` in the same way behind `first`, further lines below its beginning.
std::string hanging(std::string_view first, std::string_view text, std::size_t width);

/// One line on stderr that the next one replaces, and an empty one takes away; nothing where stderr is no
/// terminal.
void show_progress(const std::string& text);

}  // namespace fusebox
