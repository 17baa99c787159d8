#pragma once

#include <string_view>

#include "grader/report/result.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Parses the text that `nvcc -ptx` writes (PTX ISA 6.0 to 9.x). An error names the PTX line and what was
/// expected there.
Result<Module> parse(std::string_view text);

}  // namespace fusebox::ptx
