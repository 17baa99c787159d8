#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "grader/catalog/signature.h"

namespace fusebox {

/// Which of a file's functions is the one that a signature asks for.
struct FunctionMatch {
  std::optional<std::size_t> index;  ///< into `functions`
  std::string problem;               ///< when there is none: expected and found, for people
};

/// `functions` are demangled, "f(int, float*)".
FunctionMatch match_function(const Signature& signature, std::span<const std::string> functions);

}  // namespace fusebox
