#include "grader/judge/faults/fault_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "grader/judge/source/allocation_names.h"

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

/// Where the line assigns: the `=` that is no part of a comparison; npos: it does not.
std::size_t assignment_in(std::string_view code) {
  for (std::size_t at = 1; at + 1 < code.size(); ++at)
    if (code[at] == '=' && code[at + 1] != '=' && std::string_view("=!<>").find(code[at - 1]) == code.npos)
      return at;
  return code.npos;
}

/// The name that ends before `end`, spaces aside; empty: there is none.
std::string name_before(std::string_view code, std::size_t end) {
  while (end > 0 && code[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(code[begin - 1])) || code[begin - 1] == '_'))
    --begin;
  if (begin == end || std::isdigit(static_cast<unsigned char>(code[begin]))) return {};
  return std::string(code.substr(begin, end - begin));
}

/// `out` of `out[i * n + j] +`: back over the brackets that end there.
std::string subscript_at_end(std::string_view code) {
  std::size_t end = code.find_last_not_of(" +-*/");
  if (end == code.npos || code[end] != ']') return {};
  for (int depth = 0;; --end) {
    depth += code[end] == ']' ? 1 : code[end] == '[' ? -1 : 0;
    if (depth == 0) return name_before(code, end);
    if (end == 0) return {};
  }
}

}  // namespace

std::vector<std::string> indexed_on(const std::string& line, bool writes) {
  const std::string_view code = std::string_view(line).substr(0, line.find("//"));
  const std::size_t sign = assignment_in(code);
  if (writes) {
    const std::string target = sign == code.npos ? "" : subscript_at_end(code.substr(0, sign));
    return target.empty() ? std::vector<std::string>() : std::vector{target};
  }
  // `x += y[i]` reads x too, and is left to what stands behind the sign.
  std::vector<std::string> names;
  for (std::size_t at = sign == code.npos ? 0 : sign + 1; at < code.size(); ++at) {
    if (code[at] != '[') continue;
    std::string name = name_before(code, at);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

bool is_line_of(const Fault& fault, const SourceFile& source) {
  return fault.line > 0 && std::filesystem::path(fault.file).filename() == source.path.filename();
}

int line_to_show(const Fault& fault, const SourceFile& source) {
  if (fault.use_line <= 0 || fault.use_line == fault.line) return fault.line;
  if (!is_line_of(fault, source)) return fault.line;
  return !may_access(source.line(fault.line)) && may_access(source.line(fault.use_line)) ? fault.use_line
                                                                                         : fault.line;
}

Fault without_refuted_guess(Fault fault, const SourceFile& source, const std::string& function) {
  if (!fault.counted_in_elements) return fault;
  const std::string size = allocated_size(source, function, fault.buffer);
  if (size.find("sizeof") == std::string::npos) return fault;
  fault.counted_in_elements = false;
  fault.where =
      fmt::format("`{}` was allocated with {} byte{}, `{}`, and this launch reaches byte {}", fault.buffer,
                  fault.buffer_bytes, fault.buffer_bytes == 1 ? "" : "s", size, fault.reach_bytes);
  fault.hint = "Allocate room for all elements that the kernel uses, or compare the index with their number.";
  return fault;
}

}  // namespace fusebox
