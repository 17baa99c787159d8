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

}  // namespace fusebox::ptx
