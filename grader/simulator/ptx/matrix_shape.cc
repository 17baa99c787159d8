#include "grader/simulator/ptx/matrix_shape.h"

#include <cstdio>

namespace fusebox::ptx {

std::optional<MatrixShape> matrix_shape(const Instruction& instruction) {
  for (const std::string& modifier : instruction.modifiers) {
    MatrixShape shape;
    int length = 0;
    if (std::sscanf(modifier.c_str(), "m%3un%3uk%3u%n", &shape.m, &shape.n, &shape.k, &length) == 3 &&
        static_cast<std::size_t>(length) == modifier.size())
      return shape;
  }
  return std::nullopt;
}

std::uint32_t k_at_once(const Instruction& instruction, const MatrixShape& shape) {
  return instruction.opcode == Opcode::wmma && instruction.has("tf32") ? 4 : shape.k;
}

}  // namespace fusebox::ptx
