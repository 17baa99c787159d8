#include "grader/simulator/observe/traffic/tensor_cost.h"

#include <algorithm>

#include "grader/simulator/observe/traffic/flops.h"
#include "grader/simulator/ptx/matrix_shape.h"

namespace fusebox::sim {
namespace {

TensorCost wgmma_cost(const ptx::Instruction& instruction, std::uint64_t n) {
  if (instruction.operands.size() < 2) return {};
  constexpr std::uint64_t kOfA = 64 * 32 / 128;  // 64 rows of 32 bytes
  const std::uint64_t of_b = n / 4;              // columns of 32 bytes
  const bool in_registers = instruction.operands[1].kind == ptx::Operand::Kind::vector;
  return {static_cast<double>(std::max(n / 2, kOfA + of_b)), of_b + (in_registers ? 0 : kOfA)};
}

/// wmma of TF32 takes its eight values of k in two steps, as its sums show.
double mma_cycles(const ptx::Instruction& instruction, const ptx::MatrixShape& shape) {
  const auto has = [&](const char* type) { return instruction.has(type); };
  if (has("f64")) return std::max(4.0, shape.m * shape.n * shape.k / 128.0);
  const double pieces = std::max(1.0, shape.m * shape.n / 128.0);
  const bool wmma = instruction.opcode == ptx::Opcode::wmma, tf32 = has("tf32");
  const std::uint32_t bytes = has("s8") || has("u8") ? 1 : tf32 ? 4 : 2;
  const std::uint32_t steps = wmma && tf32 ? 2 : 1;
  return pieces * steps * (shape.m * shape.n >= 128 && shape.k * bytes / steps >= 32 ? 1.5 : 1);
}

}  // namespace

TensorCost tensor_cost(const ptx::Instruction& instruction) {
  const bool moves = instruction.opcode == ptx::Opcode::wmma && !instruction.has("mma");
  if (!is_matrix_product(instruction) || moves) return {};
  const auto shape = ptx::matrix_shape(instruction);
  if (!shape) return {};
  if (instruction.opcode == ptx::Opcode::wgmma) return wgmma_cost(instruction, shape->n);
  return {mma_cycles(instruction, *shape), 0};
}

}  // namespace fusebox::sim
