#include "grader/judge/fault_line.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace fusebox {
namespace {

constexpr char kSpaces[] = " \t\r";

/// Takes out each `word` with the brackets behind it: "static_cast<float*>".
void take_out(std::string& line, std::string_view word, char open, char close) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at)) {
    const std::size_t from = line.find_first_not_of(kSpaces, at + word.size());
    const std::size_t to =
        from != std::string::npos && line[from] == open ? line.find(close, from) : std::string::npos;
    if (to == std::string::npos)
      at += word.size();
    else
      line.erase(at, to + 1 - at);
  }
}

/// Whether a `*` stands before a name, and not behind a value or a type.
bool dereferences(std::string_view line) {
  for (std::size_t at = line.find('*'); at != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_not_of('*', at), line.size());
    const std::size_t of = line.find_first_not_of(kSpaces, end);
    const std::string_view before = line.substr(0, line.find_last_not_of(kSpaces, at == 0 ? 0 : at - 1) + 1);
    const bool begins = at == 0 || before.empty() || before.ends_with("return") ||
                        std::string_view("=(,;+-/!<>?:&|{").find(before.back()) != std::string_view::npos;
    if (begins && of != std::string_view::npos &&
        (std::isalpha(static_cast<unsigned char>(line[of])) || line[of] == '_' || line[of] == '('))
      return true;
    at = line.find('*', end);
  }
  return false;
}

/// Whether an access to memory can stand on the line: a subscript, a member of a pointer, a dereference, or a
/// call that may hold one.
bool may_access(std::string line) {
  line = line.substr(0, line.find("//"));
  for (const char* cast : {"static_cast", "reinterpret_cast", "const_cast"}) take_out(line, cast, '<', '>');
  take_out(line, "sizeof", '(', ')');
  std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* sign : {"[", "->", "__ld", "__st", "atomic", "load", "store", "asm", "memcpy", "memset"})
    if (line.find(sign) != std::string::npos) return true;
  return dereferences(line);
}

}  // namespace

int line_to_show(const Fault& fault, const SourceFile& source) {
  if (fault.use_line <= 0 || fault.use_line == fault.line) return fault.line;
  if (std::filesystem::path(fault.file).filename() != source.path.filename()) return fault.line;
  return !may_access(source.line(fault.line)) && may_access(source.line(fault.use_line)) ? fault.use_line
                                                                                         : fault.line;
}

}  // namespace fusebox
