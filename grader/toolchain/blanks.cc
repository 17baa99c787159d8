#include "grader/toolchain/blanks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "grader/toolchain/take.h"

namespace fusebox {
namespace {

struct Marker {
  bool opens = false;
  std::string name;
};

std::string_view trim(std::string_view s) {
  const char* kSpace = " \t\r\n\v\f";
  const auto first = s.find_first_not_of(kSpace);
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(kSpace) - first + 1);
}

// A line that is one `//` comment starting with a marker's words. Spacing is free: editors and learners
// change it.
std::optional<Marker> read_marker(std::string_view line) {
  std::string_view rest = trim(line);
  if (!take(rest, "//")) return std::nullopt;
  rest = trim(rest);
  Marker marker;
  if (take(rest, "FILL ME IN:"))
    marker.opens = true;
  else if (!take(rest, "END:"))
    return std::nullopt;
  rest = trim(rest);
  for (char c : rest) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') break;
    marker.name += c;
  }
  return marker;
}

bool only_comments(std::string_view body) {
  for (std::size_t i = 0; i < body.size();) {
    if (body.substr(i, 2) == "//") {
      i = std::min(body.find('\n', i), body.size());
    } else if (body.substr(i, 2) == "/*") {
      const auto end = body.find("*/", i + 2);
      if (end == body.npos) return true;
      i = end + 2;
    } else if (std::isspace(static_cast<unsigned char>(body[i])) == 0) {
      return false;
    } else {
      ++i;
    }
  }
  return true;
}

Error bad_marker(int line, std::string what) {
  return {ErrorKind::not_passed, fmt::format("line {}: {}", line, what),
          "put the marker lines back as they were: `// FILL ME IN: name` ... `// END: name`"};
}

// A blank and where its body stands in the text: offsets [begin, end).
struct Placed {
  Blank blank;
  std::size_t begin = 0, end = 0;
};

Result<std::vector<Placed>> place_blanks(const std::string& source) {
  std::vector<Placed> blanks;
  bool open = false;
  int line = 0;
  for (std::size_t at = 0; at < source.size();) {
    ++line;
    const std::size_t next = std::min(source.find('\n', at), source.size() - 1) + 1;
    if (const auto marker = read_marker(std::string_view(source).substr(at, next - at))) {
      if (marker->name.empty()) return bad_marker(line, "a blank's marker without a name");
      if (marker->opens) {
        if (open)
          return bad_marker(line, fmt::format("blank `{}` starts inside blank `{}` of line {}", marker->name,
                                              blanks.back().blank.name, blanks.back().blank.first_line));
        for (const auto& other : blanks)
          if (other.blank.name == marker->name)
            return bad_marker(line, fmt::format("a second blank `{}`; the first is in line {}", marker->name,
                                                other.blank.first_line));
        Placed placed;
        placed.blank.name = marker->name;
        placed.blank.first_line = line;
        placed.begin = next;
        blanks.push_back(std::move(placed));
        open = true;
      } else {
        if (!open)
          return bad_marker(line, fmt::format("`END: {}` without a `FILL ME IN: {}` before it", marker->name,
                                              marker->name));
        Placed& last = blanks.back();
        if (last.blank.name != marker->name)
          return bad_marker(line, fmt::format("`END: {}` closes blank `{}` of line {}", marker->name,
                                              last.blank.name, last.blank.first_line));
        last.blank.last_line = line;
        last.end = at;
        last.blank.body = source.substr(last.begin, last.end - last.begin);
        last.blank.empty = only_comments(last.blank.body);
        open = false;
      }
    }
    at = next;
  }
  if (open)
    return bad_marker(
        blanks.back().blank.first_line,
        fmt::format("blank `{}` has no `END: {}`", blanks.back().blank.name, blanks.back().blank.name));
  return blanks;
}

// The line ending that the marker line before `begin` has.
std::string line_ending(const std::string& source, std::size_t begin) {
  return begin >= 2 && source[begin - 2] == '\r' ? "\r\n" : "\n";
}

}  // namespace

Result<std::vector<Blank>> find_blanks(const std::string& source) {
  auto placed = place_blanks(source);
  if (!placed) return placed.error();
  std::vector<Blank> blanks;
  for (auto& p : *placed) blanks.push_back(std::move(p.blank));
  return blanks;
}

Result<std::string> strip_blanks(const std::string& source) {
  const auto placed = place_blanks(source);
  if (!placed) return placed.error();
  std::string stripped;
  std::size_t at = 0;
  for (const auto& p : placed.value()) {
    stripped.append(source, at, p.begin - at);
    stripped += line_ending(source, p.begin);
    at = p.end;
  }
  return stripped.append(source, at);
}

Result<std::string> graft_blank(const std::string& source, const std::string& name, const std::string& body) {
  const auto placed = place_blanks(source);
  if (!placed) return placed.error();
  for (const auto& p : placed.value()) {
    if (p.blank.name != name) continue;
    std::string grafted = source.substr(0, p.begin) + body;
    if (!body.empty() && body.back() != '\n') grafted += line_ending(source, p.begin);
    return grafted.append(source, p.end);
  }
  return Error{ErrorKind::internal, fmt::format("no blank is called `{}`", name),
               "use a name that the file marks"};
}

}  // namespace fusebox
