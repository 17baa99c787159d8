#include "grader/simulator/observe/traffic/flops.h"

#include <algorithm>
#include <string_view>

#include "grader/report/hardware.h"
#include "grader/simulator/ptx/matrix_shape.h"

namespace fusebox::sim {
namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// 1 for a scalar type, 2 for a packed pair, 0 when the instruction computes no floating-point value.
std::uint32_t values_per_lane(const ptx::Instruction& instruction) {
  for (const std::string& modifier : instruction.modifiers) {
    if (one_of(modifier, {"f16", "bf16", "f32", "f64"})) return 1;
    if (one_of(modifier, {"f16x2", "bf16x2", "f32x2"})) return 2;
  }
  return 0;
}

std::uint32_t matrix_flops_per_lane(const ptx::Instruction& instruction) {
  const bool floating = instruction.has("f16") || instruction.has("f32") || instruction.has("f64");
  // A wgmma's shape is that of four warps.
  const std::uint32_t lanes = instruction.opcode == ptx::Opcode::wgmma ? 4 * kWarpSize : kWarpSize;
  const auto shape = ptx::matrix_shape(instruction);
  return floating && shape ? 2 * shape->m * shape->n * shape->k / lanes : 0;
}

}  // namespace

std::uint32_t flops_per_lane(const ptx::Instruction& instruction) {
  switch (ptx::traits_of(instruction.opcode).flops) {
    case ptx::Flops::none:
      return 0;
    case ptx::Flops::one:
    case ptx::Flops::special:
      return values_per_lane(instruction);
    case ptx::Flops::two:
      return 2 * values_per_lane(instruction);
    case ptx::Flops::matrix: {
      const bool only_moves = instruction.opcode == ptx::Opcode::wmma && !instruction.has("mma");
      return only_moves ? 0 : matrix_flops_per_lane(instruction);
    }
  }
  return 0;
}

bool is_matrix_product(const ptx::Instruction& instruction) {
  return ptx::traits_of(instruction.opcode).flops == ptx::Flops::matrix;
}

bool is_special_function(const ptx::Instruction& instruction) {
  return ptx::traits_of(instruction.opcode).flops == ptx::Flops::special && !instruction.has("f64");
}

}  // namespace fusebox::sim
