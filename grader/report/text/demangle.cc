#include "grader/report/text/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace fusebox {
namespace {

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : mangled;
}

}  // namespace

// A name like "f" would be taken for a type: float.
std::string demangle(const std::string& symbol) {
  return symbol.starts_with("_Z") ? demangled(symbol.c_str()) : symbol;
}

std::string kernel_name(const std::string& symbol) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  std::string name = demangle(symbol);
  for (std::size_t at = 0; (at = name.find(kUnnamed, at)) != name.npos;) name.erase(at, kUnnamed.size());
  int depth = 0;  // of template brackets; parentheses in them belong to an argument
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) name.resize(i);
  }
  if (name.starts_with("void ")) name.erase(0, 5);
  return name;
}

std::string type_name(const std::type_info& type) { return demangled(type.name()); }

}  // namespace fusebox
