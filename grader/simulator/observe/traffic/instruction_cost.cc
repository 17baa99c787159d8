#include "grader/simulator/observe/traffic/instruction_cost.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace fusebox::sim {
namespace {

using ptx::Opcode;

bool has_any(const ptx::Instruction& instruction, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return instruction.has(word); });
}

/// A routine of several instructions around one on the special-function unit, unless it is approximate.
double special(const ptx::Instruction& instruction, double exact, double exact_f64) {
  constexpr double kScaled = 2.5;  // subnormal operands are brought into range and back
  if (has_any(instruction, {"rn", "rz", "rm", "rp"})) return instruction.has("f64") ? exact_f64 : exact;
  return instruction.has("ftz") ? 1 : kScaled;
}

/// Of 32 bits. With `again` without the reciprocal of what divides. A warp that is alone and needs the result
/// for its next instruction has it after 58 to 67 cycles then, else after 129 to 137.
struct IntegerQuotient {
  double slots, waits;
};
IntegerQuotient quotient(const ptx::Instruction& instruction, bool again) {
  const bool divides = instruction.opcode == Opcode::div;
  if (has_any(instruction, {"u32", "u16"})) {
    if (again) return divides ? IntegerQuotient{9, 15} : IntegerQuotient{8, 19};
    return divides ? IntegerQuotient{18, 43} : IntegerQuotient{17, 47};
  }
  if (again) return divides ? IntegerQuotient{14, 0} : IntegerQuotient{12, 9};
  return divides ? IntegerQuotient{24, 22} : IntegerQuotient{19.5, 39};
}
/// Both conversions and the reciprocal.
constexpr double kReciprocalCycles = 6.6;

double division(const ptx::Instruction& instruction, bool again) {
  if (instruction.has("s64")) return 88;
  if (instruction.has("u64")) return 70;
  if (has_any(instruction, {"s32", "u32", "s16", "u16"})) return quotient(instruction, again).slots;
  return instruction.has("full") ? 5 : special(instruction, 10, 22);
}

/// Address arithmetic, mostly, of which a part becomes an offset.
double integer(const ptx::Instruction& instruction) {
  if (instruction.has("wide")) return 1;
  const bool multiplies = instruction.opcode == ptx::Opcode::mul || instruction.opcode == ptx::Opcode::mad;
  if (has_any(instruction, {"s64", "u64", "b64"})) return multiplies ? 4 : 2;
  if (instruction.has("pred")) return 0.5;
  return multiplies ? 1 : 0.75;
}

UnitCycles fp64(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::setp:
    case Opcode::set:
      return {.fp64 = 0.5, .waits = 3.4};
    case Opcode::min:
    case Opcode::max:
      return {.fp64 = 2.1, .waits = 20};
    case Opcode::div:
      return {.fp64 = 6.4};
    case Opcode::rcp:
      return {.fp64 = 3.9};
    case Opcode::sqrt:
      return {.fp64 = 6.8};
    case Opcode::rsqrt:
      return {.fp64 = 5};
    default:
      return {};
  }
}

UnitCycles product(const ptx::Instruction& instruction) {
  const bool wide = instruction.has("u64") || instruction.has("s64"), high = instruction.has("hi");
  if (wide) return high ? UnitCycles{.products = 4.1, .waits = 14} : UnitCycles{.products = 2.0};
  return high ? UnitCycles{.products = 1.0, .waits = 4.4} : UnitCycles{.products = 0.5};
}

UnitCycles integer_quotient(const ptx::Instruction& instruction, bool again) {
  if (instruction.has("s64")) return {.products = 34.5};
  if (instruction.has("u64")) return {.products = 28.5};
  return {.special = again ? 0 : kReciprocalCycles, .waits = quotient(instruction, again).waits};
}

/// Exact ones of fp32, beside the special function that is counted as such, which a quotient's is not.
UnitCycles rounded(const ptx::Instruction& instruction) {
  if (!has_any(instruction, {"rn", "rz", "rm", "rp"}) || !instruction.has("f32")) return {};
  switch (instruction.opcode) {
    case Opcode::div:
      return {.special = 4.3, .waits = 9.4};
    case Opcode::rcp:
      return {.special = 1.1, .waits = 28.7};
    case Opcode::sqrt:
      return {.special = 0.9, .waits = 7.4};
    default:
      return {};
  }
}

/// Between floating point and integers, and from and to 64 bits.
UnitCycles conversion(const ptx::Instruction& instruction) {
  int floats = 0, integers = 0;
  bool wide = false;
  for (const std::string& word : instruction.modifiers) {
    const bool is_float = word == "f64" || word == "f32" || word == "f16" || word == "bf16";
    const bool is_integer =
        word.size() > 1 && (word[0] == 's' || word[0] == 'u') && word.back() >= '0' && word.back() <= '9';
    floats += is_float, integers += is_integer;
    wide = wide || word == "f64" || ((word == "s64" || word == "u64") && is_integer);
  }
  if (floats == 0 || (integers == 0 && !wide)) return {};
  return wide ? UnitCycles{.special = 2.1, .waits = 13} : UnitCycles{.special = 1.0, .waits = 6.7};
}

/// Of units that take an instruction every second cycle, with 64 lanes in an SM (the CUDA C++ programming
/// guide's table of arithmetic throughput). Assumed: of two operations of logic the assembler makes one. Sums
/// of integers are left to them or to the units for products, whichever have less to do.
UnitCycles bits(const ptx::Instruction& instruction, double slots) {
  constexpr double kCycles = 0.5, kOfLogic = 0.5;
  switch (instruction.opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
      return {.bits = instruction.has("pred") ? 0 : kCycles * kOfLogic * slots};
    case Opcode::lop3:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::shf:
    case Opcode::prmt:
    case Opcode::setp:
    case Opcode::selp:
    case Opcode::min:
    case Opcode::max:
      return {.bits = kCycles * slots};
    default:
      return {};
  }
}

}  // namespace

double issue_slots(const ptx::Instruction& instruction, bool again) {
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
      return division(instruction, again);
    case Opcode::rcp:
      return special(instruction, 10, 16);
    case Opcode::sqrt:
      return special(instruction, 10, 24);
    case Opcode::rsqrt:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
      return special(instruction, 8, 16);
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

UnitCycles unit_cycles(const ptx::Instruction& instruction, bool again) {
  switch (instruction.opcode) {
    case Opcode::cvt:
      return conversion(instruction);
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::bfind:
      return {.special = 2.0, .waits = 13};
    default:
      break;
  }
  if (instruction.has("f64")) return fp64(instruction);
  if (const UnitCycles exact = rounded(instruction); exact != UnitCycles()) return exact;
  const bool multiplies = instruction.opcode == Opcode::mul || instruction.opcode == Opcode::mad;
  const bool divides = instruction.opcode == Opcode::div || instruction.opcode == Opcode::rem;
  const bool floating = instruction.has("f32") || instruction.has("f32x2") || instruction.has("f16") ||
                        instruction.has("f16x2") || instruction.has("bf16") || instruction.has("bf16x2");
  if (divides && !floating) return integer_quotient(instruction, again);
  return multiplies && !floating ? product(instruction) : bits(instruction, issue_slots(instruction));
}

}  // namespace fusebox::sim
