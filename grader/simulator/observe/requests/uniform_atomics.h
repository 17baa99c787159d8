#pragma once

#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// Per instruction of a function: an atomic that one lane of a warp carries out for all. The assembler does
/// so where it can prove that all lanes name one address, with additions, and with minima, maxima and logical
/// operations on 32 bits whose old value nobody uses; with 64 bits only if all lanes add the same.
std::vector<bool> uniform_atomics(const ptx::Function& function);

}  // namespace fusebox::sim
