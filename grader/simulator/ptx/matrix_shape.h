#pragma once

#include <cstdint>
#include <optional>

#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Of a product of matrices m x k and k x n.
struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
};

/// What an instruction's name says ("m16n8k16"); nothing: none of its modifiers is a shape.
std::optional<MatrixShape> matrix_shape(const Instruction& instruction);

/// How many values of k an H200 takes at once, step by step, adding up in between: all of them in each shape
/// of mma and wgmma, four in wmma of TF32.
std::uint32_t k_at_once(const Instruction& instruction, const MatrixShape& shape);

}  // namespace fusebox::ptx
