#include "grader/judge/source/function_match.h"

#include <fmt/format.h>

#include <algorithm>

namespace fusebox {

FunctionMatch match_function(const Signature& signature, std::span<const std::string> functions) {
  const std::string wanted = signature.demangled();
  const auto exact = std::find(functions.begin(), functions.end(), wanted);
  if (exact != functions.end()) return {static_cast<std::size_t>(exact - functions.begin()), {}};

  std::string found;
  for (const std::string& function : functions) {
    const std::string name = function.substr(0, function.find('('));
    const std::size_t scope = name.rfind("::");
    const std::string last = scope == std::string::npos ? name : name.substr(scope + 2);
    if (last != signature.function) continue;
    // C linkage has no parameter list to compare, and a namespace hides the function from the caller.
    found += fmt::format("found    {}{}\n", function, function == name ? "   (extern \"C\")" : "");
  }
  if (found.empty())
    return {
        std::nullopt,
        fmt::format("the file does not define `void {}`; it must, and not as static or inline.\n", wanted)};
  return {std::nullopt, fmt::format("the signature of `{}` has changed:\nexpected {}\n{}", signature.function,
                                    wanted, found)};
}

}  // namespace fusebox
