#pragma once

#include <cstdint>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// Floating-point operations that one active lane performs by one issue of `instruction`: 1 for an arithmetic
/// result of type f16, bf16, f32 or f64, twice that for an fma, twice again for a packed pair. A matrix
/// product counts 2·m·n·k, shared among the lanes of its warp. Moves, conversions, comparisons, sign changes
/// and atomics are none.
std::uint32_t flops_per_lane(const ptx::Instruction& instruction);

/// Do tensor cores carry it out?
bool is_matrix_product(const ptx::Instruction& instruction);

/// Does it run on the special-function lanes (sixteen an SM, not 128)? Reciprocals, roots, exponentials,
/// logarithms, sines, tanh.
bool is_special_function(const ptx::Instruction& instruction);

}  // namespace fusebox::sim
