#include "grader/simulator/observe/traffic/wgmma_cost.h"

#include <algorithm>
#include <cstdio>

namespace fusebox::sim {

WgmmaCost wgmma_cost(const ptx::Instruction& instruction) {
  if (instruction.opcode != ptx::Opcode::wgmma || instruction.operands.size() < 2) return {};
  constexpr std::uint64_t kOfA = 64 * 32 / 128;  // 64 rows of 32 bytes
  for (const std::string& modifier : instruction.modifiers) {
    unsigned n = 0;
    if (std::sscanf(modifier.c_str(), "m64n%3uk", &n) != 1) continue;
    const std::uint64_t of_b = n / 4;  // columns of 32 bytes
    const bool in_registers = instruction.operands[1].kind == ptx::Operand::Kind::vector;
    return {std::max<std::uint64_t>(n / 2, kOfA + of_b), of_b + (in_registers ? 0 : kOfA)};
  }
  return {};
}

}  // namespace fusebox::sim
