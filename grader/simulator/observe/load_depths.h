#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// Per instruction of a function: for a load or an atomic, how many loads of the same straight run must have
/// come back before its address is known. Loads of equal depth are in flight together, because the compiler
/// moves them to the front of what uses them.
std::vector<std::uint8_t> load_depths(const ptx::Function& function);

}  // namespace fusebox::sim
