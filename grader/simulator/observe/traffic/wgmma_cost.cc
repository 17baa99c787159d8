#include "grader/simulator/observe/traffic/wgmma_cost.h"

#include <algorithm>

#include "grader/simulator/ptx/matrix_shape.h"

namespace fusebox::sim {

WgmmaCost wgmma_cost(const ptx::Instruction& instruction) {
  const auto shape = ptx::matrix_shape(instruction);
  if (instruction.opcode != ptx::Opcode::wgmma || !shape || instruction.operands.size() < 2) return {};
  constexpr std::uint64_t kOfA = 64 * 32 / 128;  // 64 rows of 32 bytes
  const std::uint64_t of_b = shape->n / 4;       // columns of 32 bytes
  const bool in_registers = instruction.operands[1].kind == ptx::Operand::Kind::vector;
  return {std::max<std::uint64_t>(shape->n / 2, kOfA + of_b), of_b + (in_registers ? 0 : kOfA)};
}

}  // namespace fusebox::sim
