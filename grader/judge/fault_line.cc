#include "grader/judge/fault_line.h"

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

int line_to_show(const Fault& fault, const SourceFile& source) {
  if (fault.use_line <= 0 || fault.use_line == fault.line) return fault.line;
  if (std::filesystem::path(fault.file).filename() != source.path.filename()) return fault.line;
  return !may_access(source.line(fault.line)) && may_access(source.line(fault.use_line)) ? fault.use_line
                                                                                         : fault.line;
}

}  // namespace fusebox
