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

double mma_cycles(const ptx::Instruction& instruction, const ptx::MatrixShape& shape) {
  const auto has = [&](const char* type) { return instruction.has(type); };
  if (has("f64")) return std::max(4.0, shape.m * shape.n * shape.k / 128.0);
  const double pieces = std::max(1.0, shape.m * shape.n / 128.0);
  const std::uint32_t bytes = has("s8") || has("u8") ? 1 : has("tf32") ? 4 : 2;
  const std::uint32_t at_once = ptx::k_at_once(instruction, shape), steps = shape.k / at_once;
  return pieces * steps * (shape.m * shape.n >= 128 && at_once * bytes >= 32 ? 1.5 : 1);
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
