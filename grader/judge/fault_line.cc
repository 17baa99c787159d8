#include "grader/judge/fault_line.h"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace fusebox {
namespace {

/// Whether an access to memory can stand on the line: a subscript, a member of a pointer, a dereference, or a
/// call that may hold one.
bool may_access(std::string line) {
  line = line.substr(0, line.find("//"));
  static const std::regex casts(R"((static|reinterpret|const)_cast\s*<[^>]*>|sizeof\s*\([^)]*\))");
  line = std::regex_replace(line, casts, "");
  static const std::regex access(
      R"(\[|->|(^|[=(,;+\-/!<>?:&|{])\s*\*+\s*[A-Za-z_(]|return\s*\*|__ld|__st|atomic|load|store|asm|mem(cpy|set))",
      std::regex::icase);
  return std::regex_search(line, access);
}

}  // namespace

std::vector<std::string> indexed_on(const std::string& line, bool writes) {
  std::string code = line.substr(0, line.find("//"));
  static const std::regex assignment(R"([^=!<>]=[^=])"), subscript(R"(([A-Za-z_]\w*)\s*\[)");
  std::smatch equals;
  const bool assigns = std::regex_search(code, equals, assignment);
  const auto at = assigns ? static_cast<std::size_t>(equals.position()) + 1 : 0;
  if (writes) {
    // The subscript that ends before the sign: back over its brackets to its name.
    static const std::regex target(R"(([A-Za-z_]\w*)\s*\[[^;=]*\]\s*[-+*/]?$)");
    std::string left = code.substr(0, at);
    left = left.substr(left.find_last_of(";{}") == left.npos ? 0 : left.find_last_of(";{}") + 1);
    std::smatch name;
    return assigns && std::regex_search(left, name, target) && left.find("==") == left.npos
               ? std::vector{name[1].str()}
               : std::vector<std::string>();
  }
  // `x += y[i]` reads x too, and is left to what stands behind the sign.
  code = code.substr(assigns ? at + 1 : 0);
  std::vector<std::string> names;
  for (std::sregex_iterator it(code.begin(), code.end(), subscript), end; it != end; ++it)
    if (std::find(names.begin(), names.end(), (*it)[1].str()) == names.end()) names.push_back((*it)[1].str());
  return names;
}

int line_to_show(const Fault& fault, const SourceFile& source) {
  if (fault.use_line <= 0 || fault.use_line == fault.line) return fault.line;
  if (std::filesystem::path(fault.file).filename() != source.path.filename()) return fault.line;
  return !may_access(source.line(fault.line)) && may_access(source.line(fault.use_line)) ? fault.use_line
                                                                                         : fault.line;
}

}  // namespace fusebox
