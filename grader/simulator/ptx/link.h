#pragma once

#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Makes one module of those that were compiled apart (nvcc -rdc=true): what one declares and another defines
/// is defined; of several definitions the first holds, for they are the same template or inline function. At
/// least one module.
Module link(std::vector<Module> modules);

}  // namespace fusebox::ptx
