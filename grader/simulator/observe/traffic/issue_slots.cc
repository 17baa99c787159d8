#include "grader/simulator/observe/traffic/issue_slots.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace fusebox::sim {
namespace {

bool has_any(const ptx::Instruction& instruction, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return instruction.has(word); });
}

/// A routine of several instructions around one on the special-function unit, unless it is approximate.
double special(const ptx::Instruction& instruction, double exact) {
  constexpr double kScaled = 2.5;  // subnormal operands are brought into range and back
  if (has_any(instruction, {"rn", "rz", "rm", "rp"})) return instruction.has("f64") ? 2 * exact : exact;
  return instruction.has("ftz") ? 1 : kScaled;
}

double division(const ptx::Instruction& instruction) {
  if (has_any(instruction, {"s64", "u64"})) return 70;
  if (has_any(instruction, {"s32", "u32", "s16", "u16"})) return 15;
  return instruction.has("full") ? 5 : special(instruction, 11);
}

/// Address arithmetic, mostly, of which a part becomes an offset.
double integer(const ptx::Instruction& instruction) {
  if (instruction.has("wide")) return 1;
  const bool multiplies = instruction.opcode == ptx::Opcode::mul || instruction.opcode == ptx::Opcode::mad;
  if (has_any(instruction, {"s64", "u64", "b64"})) return multiplies ? 4 : 2;
  if (instruction.has("pred")) return 0.5;
  return multiplies ? 1 : 0.75;
}

}  // namespace

double issue_slots(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
      return 0;
    case Opcode::ld:
      return instruction.has("param") ? 0 : 1;
    case Opcode::bra:
      return 0.5;
    case Opcode::shfl:
      return 3;
    case Opcode::div:
    case Opcode::rem:
      return division(instruction);
    case Opcode::rcp:
      return special(instruction, 8);
    case Opcode::sqrt:
      return special(instruction, 12);
    case Opcode::rsqrt:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
      return special(instruction, 8);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::min:
    case Opcode::max:
      return has_any(instruction, {"f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64"})
                 ? 1
                 : integer(instruction);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::shl:
    case Opcode::shr:
      return integer(instruction);
    case Opcode::setp:
    case Opcode::selp:
      return has_any(instruction, {"s64", "u64", "b64"}) ? 2 : 1;
    default:
      return 1;
  }
}

}  // namespace fusebox::sim
