#pragma once

#include <vector>

#include "grader/catalog/puzzle.h"

namespace fusebox::specs {

/// Every puzzle of specs/, in the order of the file names. Defined in a source that CMake generates from
/// all.cc.in.
std::vector<Puzzle> all();

}  // namespace fusebox::specs
